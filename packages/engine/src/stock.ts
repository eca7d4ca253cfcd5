// What LangGraph's own savers keep, to move it here: `@holdpoint/engine/stock`.
export { openStock } from "./stock/open-stock.ts";
export type { StockCheckpoint, StockCheckpoints, StockValue } from "./stock/stock-checkpoints.ts";
