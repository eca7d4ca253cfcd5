/** A value that cannot be stored as it is. `path` leads to it from the value that holds it. */
export class Unstorable extends Error {
  readonly path: readonly string[];
  readonly what: string;

  constructor(what: string, path: readonly string[] = []) {
    super(`${what} at ${path.join(".") || "the top"}`);
    this.name = "Unstorable";
    this.what = what;
    this.path = path;
  }

  /** The same, seen from one level further out. */
  inside(key: string): Unstorable {
    return new Unstorable(this.what, [key, ...this.path]);
  }
}

/** One sentence for whoever put it there: which channel, where in it, what, and what to do. */
export function refusalOf(channel: string, error: Unstorable): Error {
  const place = [channel, ...error.path].join(".");
  return new Error(
    `The state cannot be stored: channel "${channel}" holds ${error.what} (${place}); put plain JSON or messages in its place.`,
    { cause: error },
  );
}
