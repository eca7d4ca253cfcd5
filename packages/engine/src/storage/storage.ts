import type {
  ActionId,
  ActionName,
  ActionRecord,
  AuditEntry,
  CallKey,
  Decision,
  DecisionId,
  JsonObject,
  Permit,
  Review,
  Reviewer,
  ReviewId,
  RunId,
} from "@holdpoint/core";
import type { Health } from "./unwell.ts";

/** A conversation that this engine hosts. `lastSeq` is the number of its newest event. */
export type Thread = {
  readonly id: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly lastSeq: number;
};

/** Where a run stands. `queued` and `running` runs are due work; the rest have ended. */
export type RunStatus = "queued" | "running" | "interrupted" | "completed" | "failed" | "cancelled";

/** One run of a thread: started with an input, or continuing it after decisions. */
export type Run = {
  readonly id: RunId;
  readonly threadId: string;
  readonly kind: "start" | "continue";
  readonly input?: JsonObject;
  readonly dedupeKey?: string;
  readonly status: RunStatus;
  readonly error?: string;
  /** How often it was claimed; more than once means that a process died with it. */
  readonly attempts: number;
  readonly fence: number;
  readonly createdAt: string;
};

/** The right to work on a row for a while; whoever holds a newer fence wins. */
export type Lease = { readonly owner: string; readonly until: string };

/** Names a delivery. */
export type DeliveryId = `dlv_${string}`;

/** What a consumer of a topic is told; one for each topic and key. It is due from `dueAt` on. */
export type Delivery = {
  readonly id: DeliveryId;
  readonly topic: string;
  readonly key: string;
  /** JSON text. */
  readonly body: string;
  readonly status: "pending" | "delivered" | "stuck";
  /** How often it was claimed; a claim whose process died counts. */
  readonly attempts: number;
  readonly fence: number;
  readonly dueAt: string;
  readonly lastError?: string;
  readonly createdAt: string;
};

/** One event of a thread's stream, as it is sent to clients. */
export type RunEvent = {
  readonly threadId: string;
  readonly seq: number;
  readonly runId: RunId;
  readonly method: string;
  /** False for deltas that a finished block makes unnecessary: they go when their run ends. */
  readonly keep: boolean;
  readonly body: JsonObject;
};

/** A page query over reviews; `before` is the cursor of the last row seen. */
export type ReviewQuery = {
  readonly status: "open" | "settled";
  readonly order: "newest" | "oldest";
  readonly cursor?: string;
  readonly limit: number;
};

/** One stored value: how it was serialized, and its bytes. */
export type StoredPart = {
  /** For a link of a list: the link before it, or "" for the first. */
  readonly before?: string;
  readonly hash: string;
  readonly type: string;
  readonly value: Uint8Array;
};

/** A checkpoint without its parts: `body` refers to them by hash. */
export type StoredCheckpoint = {
  readonly threadId: string;
  readonly namespace: string;
  readonly id: string;
  readonly parentId?: string;
  readonly body: string;
  readonly metadata: string;
};

/** One pending write of a task. */
export type StoredWrite = {
  readonly taskId: string;
  readonly index: number;
  readonly channel: string;
  readonly taskPath: string;
  readonly type: string;
  readonly value: Uint8Array;
};

/** Names a checkpoint. */
export type CheckpointKey = {
  readonly threadId: string;
  readonly namespace: string;
  readonly id: string;
};

/** A checkpoint with its pending writes. */
export type LoadedCheckpoint = {
  readonly checkpoint: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
};

/** Under this name, which no thread has, stand the parts that belong to all of them. */
export const allThreads = "";

/** Names a part of a thread. */
export type PartReference = { readonly threadId: string; readonly hash: string };

/**
 * What is added to a thread: a checkpoint, which replaces one of its key; parts, which stay as they were first
 * stored; pending writes, of which a special one (negative index) is replaced and an ordinary one stays; and
 * the hashes of parts that must be there.
 */
export type CheckpointSave = {
  readonly key: CheckpointKey;
  readonly checkpoint?: StoredCheckpoint;
  readonly parts?: readonly StoredPart[];
  /** Stored once for all threads. */
  readonly shapes?: readonly StoredPart[];
  readonly writes?: readonly StoredWrite[];
  readonly refers?: readonly string[];
};

/** A channel that a task has a pending write for, and the checkpoint that it belongs to. */
export type WrittenChannel = {
  readonly namespace: string;
  readonly id: string;
  readonly taskId: string;
  readonly channel: string;
};

/** Which checkpoints to list, newest first. */
export type CheckpointQuery = {
  readonly threadId?: string;
  readonly namespace?: string;
  readonly id?: string;
  readonly before?: string;
  readonly limit?: number;
};

/** Whose key: every caller has keys of their own. */
export type ReplyKey = { readonly caller: string; readonly key: string };

/** What was replied to a request that came with a key. */
export type StoredReply = ReplyKey & {
  readonly requestHash: string;
  readonly reply: JsonObject;
  readonly at: string;
};

/** A hashed secret and what it is good for. */
export type ApiKey = {
  readonly hash: string;
  readonly purpose: "link" | "session";
  readonly reviewer: Reviewer;
  readonly expiresAt: string;
};

/** A permit, the review it comes from, who runs its tool, and whether it was issued in an epoch before the database's. */
export type StoredPermit = {
  readonly permit: Permit;
  readonly reviewId: ReviewId;
  readonly lease?: Lease;
  readonly isOutdated?: true;
};

/**
 * Which life of the database this is. A new epoch begins when a backup is brought back. A copy is a backup,
 * or what was made from one, in which no epoch of its own has begun.
 */
export type Instance = { readonly epoch: string; readonly isCopy: boolean };

/** What can be read. `now` is the storage's clock, read once. */
export type Reading = {
  readonly now: string;
  readonly findReview: (id: ReviewId) => Promise<Review | undefined>;
  /** Those of the reviews that exist. */
  readonly findReviews: (ids: readonly ReviewId[]) => Promise<ReadonlyMap<ReviewId, Review>>;
  readonly findReviewOfInterrupt: (
    threadId: string,
    interruptId: string,
  ) => Promise<Review | undefined>;
  readonly findAction: (key: CallKey) => Promise<ActionRecord | undefined>;
  readonly findReviewOfAction: (threadId: string, name: ActionName) => Promise<Review | undefined>;
  readonly listReviews: (
    query: ReviewQuery,
  ) => Promise<{ readonly reviews: readonly Review[]; readonly next?: string }>;
  readonly openReviewsOf: (threadId: string) => Promise<readonly Review[]>;
  /** The earliest deadline of an open review; costs the same however many there are. */
  readonly nextDeadline: () => Promise<string | undefined>;
  readonly findPermit: (actionId: ActionId) => Promise<StoredPermit | undefined>;
  /** Those of the permits that exist. */
  readonly findPermits: (
    actionIds: readonly ActionId[],
  ) => Promise<ReadonlyMap<ActionId, StoredPermit>>;
  /** Started permits whose lease is over at that time, at most `limit`. */
  readonly lapsedPermits: (at: string, limit: number) => Promise<readonly ActionId[]>;
  /** The replies that were kept under these keys. */
  readonly findReplies: (keys: readonly ReplyKey[]) => Promise<readonly StoredReply[]>;
  readonly findThread: (id: string) => Promise<Thread | undefined>;
  /** Which of these threads are hosted here. */
  readonly hostedAmong: (threadIds: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly findRun: (id: RunId) => Promise<Run | undefined>;
  readonly findRunByKey: (threadId: string, dedupeKey: string) => Promise<Run | undefined>;
  readonly activeRunsOf: (threadId: string) => Promise<readonly Run[]>;
  readonly latestRunOf: (threadId: string) => Promise<Run | undefined>;
  /**
   * The next run of these agents that waits for a worker: queued and first in line, or left by a dead
   * process. Runs that are `held` by the caller are not due, whatever the clock says.
   */
  readonly dueRun: (agents: readonly string[], held: readonly RunId[]) => Promise<Run | undefined>;
  readonly eventsOf: (threadId: string, afterSeq: number) => Promise<readonly RunEvent[]>;
  /** The number of the newest event of each of these threads that is there; compaction does not lower it. */
  readonly lastSeqsOf: (threadIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** The checkpoint of this id, or else the latest, with its pending writes in order. */
  readonly findCheckpoint: (
    threadId: string,
    namespace: string,
    id?: string,
  ) => Promise<LoadedCheckpoint | undefined>;
  readonly listCheckpoints: (query: CheckpointQuery) => Promise<readonly StoredCheckpoint[]>;
  readonly findParts: (
    threadId: string,
    hashes: readonly string[],
  ) => Promise<ReadonlyMap<string, StoredPart>>;
  /** A link of a list and all before it, first link first; empty when it is not there. */
  readonly findChain: (threadId: string, hash: string) => Promise<readonly StoredPart[]>;
  readonly writesOf: (key: CheckpointKey) => Promise<readonly StoredWrite[]>;
  /** The threads that have checkpoints. */
  readonly checkpointedThreads: () => Promise<readonly string[]>;
  /** A thread's next checkpoints by namespace and id, after this one, at most `limit`. */
  readonly checkpointsAfter: (
    threadId: string,
    after: Pick<CheckpointKey, "namespace" | "id"> | undefined,
    limit: number,
  ) => Promise<readonly StoredCheckpoint[]>;
  /** Which channels a thread's tasks have written to, also for checkpoints that are not there yet. */
  readonly channelsWritten: (threadId: string) => Promise<readonly WrittenChannel[]>;
  readonly findApiKey: (hash: string, purpose: ApiKey["purpose"]) => Promise<ApiKey | undefined>;
  readonly auditOf: (stream: string) => Promise<readonly AuditEvent[]>;
  /** The last event of each stream that has one. */
  readonly lastAuditsOf: (streams: readonly string[]) => Promise<ReadonlyMap<string, AuditLink>>;
  /** How far the audit goes now: what is visible to a new transaction. Position 0 when there is nothing. */
  readonly auditHead: () => Promise<AuditHead>;
  /**
   * True when every transaction that could still commit an event at or before that head's position has
   * ended: from then on a new transaction sees all events there will ever be up to it. Where positions
   * become visible in order, always; where they are taken before the commit (a Postgres identity), when
   * no transaction that was running as the head was read runs any more. May stay false for a while, never
   * becomes false again. The caller's own transaction does not count.
   */
  readonly auditSettled: (head: AuditHead) => Promise<boolean>;
  /** The next events by position, lowest first: `after < position <= to`, at most `limit`. */
  readonly auditBetween: (range: {
    readonly after: number;
    readonly to: number;
    readonly limit: number;
  }) => Promise<readonly PlacedHash[]>;
  /** The same, each event in full. */
  readonly auditPage: (range: {
    readonly after: number;
    readonly to: number;
    readonly limit: number;
  }) => Promise<readonly EventWithPrevious[]>;
  /** The seal with the highest number. */
  readonly lastSeal: () => Promise<StoredSeal | undefined>;
  /** The next seals by number, lowest first: `number > after`, at most `limit`. */
  readonly sealsAfter: (after: number, limit: number) => Promise<readonly StoredSeal[]>;
  readonly instance: () => Promise<Instance>;
  readonly findDelivery: (id: DeliveryId) => Promise<Delivery | undefined>;
  /** When the next pending delivery of these topics is due; one that is claimed, when its lease runs out. */
  readonly nextDelivery: (topics: readonly string[]) => Promise<string | undefined>;
  readonly stuckDeliveries: (limit: number) => Promise<readonly Delivery[]>;
  /**
   * Threads on which nothing has happened since then and nothing is open, due, running or still to be run;
   * longest ago first, at most `limit`. Only those that have a review or a run.
   */
  readonly settledThreads: (before: string, limit: number) => Promise<readonly string[]>;
  /** True while a run of the thread is due or running, or a tool of it runs. */
  readonly isThreadBusy: (threadId: string) => Promise<boolean>;
  /** The audit events that may say who somebody is: those of a thread's reviews, or of a reviewer's decisions. */
  readonly eventsAbout: (
    subject: { readonly threadId: string } | { readonly reviewerId: string },
  ) => Promise<readonly EventPlace[]>;
  /** Who holds leases right now; used once at start to free those of dead processes. */
  readonly leaseOwners: () => Promise<readonly string[]>;
};

/** What takes one look. */
export type Looking = Pick<
  Reading,
  | "findReview"
  | "findAction"
  | "findReviewOfAction"
  | "findReviewOfInterrupt"
  | "listReviews"
  | "openReviewsOf"
  | "findPermit"
  | "findCheckpoint"
  | "listCheckpoints"
  | "writesOf"
  | "findParts"
  | "findChain"
>;

/** An audit entry linked to the one before it. */
export type AuditEvent = AuditEntry & {
  readonly stream: string;
  readonly seq: number;
  readonly at: string;
  readonly previous: string;
  readonly hash: string;
  /** A secret under the hash, that goes when the body is erased; events of before have none. */
  readonly salt?: string;
};

/** What the next event of a stream is linked to. */
export type AuditLink = Pick<AuditEvent, "seq" | "hash">;

/** A review to save, and the version that was seen. */
export type ReviewSave = { readonly review: Review; readonly over: number };

/** A permit to save, the fence and status that were seen, and who runs its tool from now on. */
export type PermitSave = {
  readonly permit: Permit;
  readonly over: Permit;
  readonly lease: Lease | undefined;
};

/** A decision as it is kept for good. */
export type DecisionRow = {
  readonly id: DecisionId;
  readonly actionId: ActionId;
  readonly reviewer: Reviewer;
  readonly digest: string;
  readonly decision: Decision;
  readonly at: string;
};

/** Where an event stands on its stream. */
export type EventPlace = Pick<AuditEvent, "stream" | "seq">;

/** The highest position of an event, and what the adapter needs to tell when it is settled. */
export type AuditHead = { readonly position: number; readonly mark: string };

/** Where an event stands in the order over all streams, and its hash. */
export type PlacedHash = { readonly position: number; readonly hash: string };

/** An event as its row says, and the hash of the one before it on its stream, if that is there. */
export type EventWithPrevious = PlacedHash &
  Omit<AuditEvent, "body" | "salt"> & {
    readonly body: string;
    readonly salt: string | undefined;
    readonly hashBefore: string | undefined;
  };

/** A signed seal: numbered from 1 without gaps, `line` kept byte for byte, never changed or deleted. */
export type StoredSeal = { readonly number: number; readonly line: string };

/**
 * What can be changed. Saves are compare-and-set: `false` means that somebody else was first. What a busy
 * moment brings many of is written many at once.
 */
export type Writing = Reading & {
  readonly insertReview: (review: Review) => Promise<void>;
  /**
   * Open reviews whose deadline is now or was before, earliest first, at most `limit`, without those in `except`.
   * Those that another transaction is changing are left out rather than waited for, where that is possible.
   */
  readonly overdueReviews: (
    limit: number,
    except?: readonly ReviewId[],
  ) => Promise<readonly ReviewId[]>;
  /** Each review once. `false` when one of several was not saved: the caller must then take all back. */
  readonly saveReviews: (saves: readonly ReviewSave[]) => Promise<boolean>;
  readonly insertDecisions: (rows: readonly DecisionRow[]) => Promise<void>;
  /** Issues them in the epoch of the database. */
  readonly insertReplies: (rows: readonly StoredReply[]) => Promise<void>;
  /** Drops the replies that were kept before that time. */
  readonly dropReplies: (before: string) => Promise<void>;
  readonly insertPermits: (permits: readonly Permit[]) => Promise<void>;
  /** Of each permit one save; resolves to those that were saved. */
  readonly savePermits: (saves: readonly PermitSave[]) => Promise<ReadonlySet<ActionId>>;
  /**
   * Gives each event the next position: higher than that of every event that was visible when this
   * transaction began, and of every event before it on its stream. Positions may leave gaps.
   */
  readonly insertAuditEvents: (events: readonly AuditEvent[]) => Promise<void>;
  /** False, with nothing changed, when a seal of that number is there already. */
  readonly insertSeal: (seal: StoredSeal) => Promise<boolean>;
  /** Has deliveries of this topic written from now on. */
  readonly subscribeTopic: (topic: string) => Promise<void>;
  /** Writes those whose topic somebody has subscribed; a key that the topic has already is left as it is. */
  readonly insertDeliveries: (
    rows: readonly Pick<Delivery, "id" | "topic" | "key" | "body" | "dueAt">[],
  ) => Promise<void>;
  /** Takes what is due of a topic, earliest first, with the next fence and attempt; it is due again at the lease's end. */
  readonly claimDeliveries: (
    topic: string,
    lease: Lease,
    limit: number,
  ) => Promise<readonly Delivery[]>;
  /** False, with nothing changed, when it has another fence by now or is not pending any more. */
  readonly settleDelivery: (
    claimed: Pick<Delivery, "id" | "fence">,
    settled: Pick<Delivery, "status" | "attempts" | "dueAt"> & { readonly error?: string },
  ) => Promise<boolean>;
  /** Removes what of a topic is not delivered yet under these keys; whoever has claimed it cannot settle it. */
  readonly withdrawDeliveries: (topic: string, keys: readonly string[]) => Promise<void>;
  /** Makes a stuck one due now, with its attempts forgotten; false when it is not stuck. */
  readonly redriveDelivery: (id: DeliveryId) => Promise<boolean>;
  readonly insertThread: (thread: Thread) => Promise<void>;
  readonly insertRuns: (runs: readonly Run[]) => Promise<void>;
  readonly claimRun: (run: Run, lease: Lease) => Promise<Run | undefined>;
  /** A run that failed or was cancelled gives its key back: the same input may start another. */
  readonly endRun: (run: Run, status: RunStatus, error: string | undefined) => Promise<boolean>;
  /** Puts a run back in line; the attempt is not counted, because its worker did not die with it. */
  readonly releaseRun: (run: Run) => Promise<boolean>;
  /** Renews the owner's leases on these runs and on the permits of these actions. */
  readonly renewLeases: (
    lease: Lease,
    held: { readonly runs: readonly RunId[]; readonly permits: readonly ActionId[] },
  ) => Promise<void>;
  /** Ends the owner's leases now; those that are over stay as they are. */
  readonly expireLeases: (owner: string) => Promise<void>;
  /** Gives the event the thread's next number. */
  readonly appendEvent: (
    event: Omit<RunEvent, "seq">,
    body: (seq: number) => JsonObject,
  ) => Promise<RunEvent>;
  /** Drops what no replay needs once this run has ended: its deltas, and earlier runs' events but questions that are open. */
  readonly compactEvents: (run: Pick<Run, "id" | "threadId">) => Promise<void>;
  /** Returns the references to parts that are neither there nor sent with it. */
  readonly saveCheckpoints: (saves: readonly CheckpointSave[]) => Promise<readonly PartReference[]>;
  readonly deleteCheckpoints: (threadId: string) => Promise<void>;
  /** Removes these checkpoints and their pending writes. */
  readonly removeCheckpoints: (
    threadId: string,
    keys: readonly Pick<CheckpointKey, "namespace" | "id">[],
  ) => Promise<void>;
  /** Removes all parts of a thread but these; returns how many. */
  readonly removePartsBut: (threadId: string, hashes: readonly string[]) => Promise<number>;
  readonly saveReviewer: (reviewer: Reviewer) => Promise<void>;
  readonly insertApiKey: (key: ApiKey) => Promise<void>;
  /** Marks a one-time key as used; `false` when it was used before. */
  readonly useApiKey: (hash: string) => Promise<boolean>;
  /**
   * Makes this database, and no copy of it, the one in use: from here on permits of before are outdated, and
   * one-time links and sessions of before are gone.
   */
  readonly beginEpoch: (epoch: string) => Promise<void>;
  /** Removes everything of a thread but its audit; returns the reviews that it had. */
  readonly removeThread: (threadId: string) => Promise<readonly ReviewId[]>;
  /** Puts `{"erased":true}` in the place of these events' bodies, and nothing in that of their salts. */
  readonly eraseEvents: (events: readonly EventPlace[]) => Promise<void>;
  /** Removes stored replies and deliveries that hold this text as a value, such as the id of who is erased. */
  readonly removeMentions: (id: string) => Promise<void>;
  /** Puts another name, which begins with `erased_`, in the place of a reviewer's; ends their links and sessions. */
  readonly eraseReviewer: (reviewerId: string, pseudonym: string) => Promise<void>;
};

/** A database that keeps Holdpoint's state; passing the conformance suite is what makes it one. */
export type Storage = {
  /** Reads one thing, as it is at that moment; what must belong together is for `read`. */
  readonly look: <Result>(work: (reading: Looking) => Promise<Result>) => Promise<Result>;
  /** Reads what belongs together: nothing that is committed meanwhile comes in between. */
  readonly read: <Result>(work: (reading: Reading) => Promise<Result>) => Promise<Result>;
  /** Runs the work in one transaction and resolves after it is on disk; a throw takes all of it back. */
  readonly write: <Result>(work: (writing: Writing) => Promise<Result>) => Promise<Result>;
  /** Unwell from a write that the database could not save until one that it could; asking tries one. */
  readonly health: () => Promise<Health>;
  readonly close: () => Promise<void>;
};
