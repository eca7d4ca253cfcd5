/** What the processes of the conflict harness are told: some clients, and the reviews they all decide. */
export type ConflictOrders = {
  readonly database: string;
  readonly seed: number;
  readonly round: number;
  readonly units: readonly number[];
  readonly clients: readonly string[];
};

/** One call and its answer; `says` is `open`, or who decided and what. Times are nanoseconds. */
export type Answered = {
  readonly type: "looked" | "won" | "lost" | "failed";
  readonly unit: number;
  readonly client: string;
  readonly called: number;
  readonly answered: number;
  readonly says: string;
};

/** A decision that was sent; its answer may never come. */
export type Calling = {
  readonly type: "calling";
  readonly unit: number;
  readonly client: string;
  readonly called: number;
  readonly wants: string;
};

/** What they print. */
export type ConflictMessage = { readonly type: "ready" | `done ${number}` } | Answered | Calling;
