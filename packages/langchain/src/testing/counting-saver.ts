import { MemorySaver } from "@langchain/langgraph";

/** What a graph asked of its checkpointer. */
export type SaverCounts = {
  /** Checkpoints saved. */
  put: number;
  /** Batches of pending writes saved, and the writes in them. */
  putWrites: number;
  rows: number;
  /** Checkpoints read. */
  getTuple: number;
};

/** LangGraph's own checkpointer in memory, which also counts what it was asked. */
export class CountingSaver extends MemorySaver {
  readonly counts: SaverCounts = { put: 0, putWrites: 0, rows: 0, getTuple: 0 };

  override async put(...args: Parameters<MemorySaver["put"]>): ReturnType<MemorySaver["put"]> {
    this.counts.put += 1;
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<MemorySaver["putWrites"]>): Promise<void> {
    this.counts.putWrites += 1;
    this.counts.rows += args[1].length;
    return super.putWrites(...args);
  }

  override async getTuple(
    ...args: Parameters<MemorySaver["getTuple"]>
  ): ReturnType<MemorySaver["getTuple"]> {
    this.counts.getTuple += 1;
    return super.getTuple(...args);
  }
}
