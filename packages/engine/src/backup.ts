// What an owner needs to back up and bring back, without a server: `@holdpoint/engine/backup`.
export {
  adoptDatabase,
  restoreBackup,
  type RestoreOptions,
  type SetAside,
} from "./backup/restore.ts";
export { writeBackup } from "./storage/sqlite/backup-file.ts";
