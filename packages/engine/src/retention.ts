// What removes data that is not needed any more, without a server: `@holdpoint/engine/retention`.
export { eraseFrom, retainIn } from "./retention/in-database.ts";
export type { ErasureSubject } from "./retention/erase.ts";
