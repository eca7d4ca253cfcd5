// What LangGraph's SQLite saver calls of better-sqlite3, on Node's own SQLite: nothing native is installed for tests.
import { DatabaseSync } from "node:sqlite";

// oxlint-disable-next-line import/no-default-export -- better-sqlite3 is imported so
export default class Database {
  #database;

  /** @param {string} path */
  constructor(path) {
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA synchronous = NORMAL"); // as better-sqlite3 opens a file in WAL mode
  }

  /** @param {string} setting */
  pragma(setting) {
    return this.#database.prepare(`PRAGMA ${setting}`).all();
  }

  /** @param {string} sql */
  exec(sql) {
    this.#database.exec(sql);
    return this;
  }

  /** @param {string} sql */
  prepare(sql) {
    const statement = this.#database.prepare(sql);
    /** @param {unknown[]} values */
    const bound = (values) =>
      /** @type {import("node:sqlite").SQLInputValue[]} */ (values.map((value) => value ?? null));
    return {
      /** @param {unknown[]} values */
      get: (...values) => statement.get(...bound(values)),
      /** @param {unknown[]} values */
      all: (...values) => statement.all(...bound(values)),
      /** @param {unknown[]} values */
      run: (...values) => statement.run(...bound(values)),
    };
  }

  /**
   * @template {unknown[]} Args
   * @param {(...args: Args) => void} work
   */
  transaction(work) {
    /** @param {Args} args */
    return (...args) => {
      this.#database.exec("BEGIN");
      try {
        work(...args);
        this.#database.exec("COMMIT");
      } catch (error) {
        this.#database.exec("ROLLBACK");
        throw error;
      }
    };
  }

  close() {
    this.#database.close();
  }
}
