import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph";
import { type Engine, openEngine } from "@holdpoint/engine";
import { checkpointer } from "@holdpoint/langchain";
import type { Operation, Place } from "./program.ts";

/** Where a program is played: gives the saver for each operation. */
export type Ground = { readonly saver: (which: Operation["saver"]) => BaseCheckpointSaver };

/** LangGraph's own saver, which is the same whatever is asked for. */
export function memoryGround(): Ground {
  const saver = new MemorySaver();
  return { saver: () => saver };
}

/** The same, only that each save takes as long as a database would: what differs then is a race in the program. */
export function slowMemoryGround(): Ground {
  const saver = new SlowMemorySaver();
  return { saver: () => saver };
}

class SlowMemorySaver extends MemorySaver {
  override async put(...saved: Parameters<MemorySaver["put"]>): Promise<RunnableConfig> {
    const config = await super.put(...saved);
    await setImmediate();
    return config;
  }

  override async putWrites(...saved: Parameters<MemorySaver["putWrites"]>): Promise<void> {
    await super.putWrites(...saved);
    await setImmediate();
  }
}

/** Our saver: replaced by one that knows nothing, or taking turns with another one on the same database. */
export function holdpointGround(engine: Engine): Ground {
  let savers = [checkpointer(engine), checkpointer(engine)] as const;
  return {
    saver: (which) => {
      const [one, other] = savers;
      if (which === "new") savers = [checkpointer(engine), other];
      if (which === "other") savers = [other, one];
      return savers[0];
    },
  };
}

/** The databases of many programs, opened when the first one asks; each program has threads of its own in them. */
export type Databases = {
  readonly engine: (place: Place) => Promise<Engine>;
  readonly close: () => Promise<void>;
};

/** Opens databases; without a Postgres its programs are played on SQLite in memory. */
export function openDatabases(postgresUrl: string | undefined): Databases {
  const folder = mkdtempSync(join(tmpdir(), "differential-"));
  const open = new Map<Place, Promise<Engine>>();
  const names = {
    memory: ":memory:",
    file: `file:${join(folder, "db.sqlite")}`,
    postgres: postgresUrl ?? ":memory:",
  };
  return {
    engine: (place) => {
      const engine = open.get(place) ?? openEngine({ database: names[place] });
      open.set(place, engine);
      return engine;
    },
    close: async () => {
      for (const engine of open.values()) await (await engine).close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
