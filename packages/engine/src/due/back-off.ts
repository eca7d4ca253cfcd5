/** How often something is tried, and how long after each failure, in milliseconds. */
export type RetryOptions = {
  /** After so many attempts it is stuck. */
  readonly attempts?: number;
  /** How long one attempt may take, in milliseconds; whoever takes it has it twice as long to himself. */
  readonly patience?: number;
  /** After the first failure; twice as long after each that follows, up to the longest. */
  readonly firstDelay?: number;
  readonly longestDelay?: number;
  /** From 0 up to 1, like `Math.random`: spreads the delays, so that what failed together is not tried together. */
  readonly random?: () => number;
};

/** The same with nothing left open: 25 attempts of 15 seconds over about three days. */
export type Retry = Required<RetryOptions>;

/** Fills in what is left open. */
export function retryFrom(options: RetryOptions = {}): Retry {
  const { attempts = 25, patience = 15_000, random = Math.random } = options;
  const { firstDelay = 1_000, longestDelay = 4 * 60 * 60 * 1_000 } = options;
  return { attempts, patience, firstDelay, longestDelay, random };
}

/** How long to wait after so many attempts: doubled each time up to the longest, then between half and all of it. */
export function backOff(retry: Retry, attempts: number): number {
  const whole = Math.min(retry.longestDelay, retry.firstDelay * 2 ** (attempts - 1));
  return Math.round(whole * (0.5 + retry.random() / 2));
}
