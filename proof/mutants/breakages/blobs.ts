import type { Mutant } from "../mutant";

const LARGE = "lib/worker/steps/large-values.db.test.ts";
const FAILING = "lib/worker/steps/failing-blob-store.db.test.ts";
const SWEEP = "lib/worker/duties/sweep-blobs.db.test.ts";

/** Values in the blob store. */
export const blobs: Mutant[] = [
  {
    name: "blob-read-out-of-order",
    promise: "P3",
    breaks: "An outcome that is read from the blob store comes after later ones: a replay takes another way.",
    file: "lib/worker/passes/replay.ts",
    find: "await inTurn(claim, kept.finishedPosition, loading);",
    replace: "await loading; await inTurn(claim, kept.finishedPosition);",
    killedBy: [LARGE],
  },
  {
    name: "blob-of-a-living-claim-deleted",
    promise: "P3",
    breaks: "A blob that a claim may still refer to is deleted: its outcome is lost.",
    file: "lib/store/blobs/sweep.ts",
    find: "and run.epoch = blob.writer_epoch and run.worker_id is not null)",
    replace: "and run.epoch = blob.writer_epoch and false)",
    killedBy: [SWEEP],
  },
  {
    name: "blobs-outlive-their-run",
    promise: "P3",
    breaks: "The blobs of a deleted run stay in the store for ever.",
    file: "lib/store/runs/retention.ts",
    find: "from gone where blob.run_id = gone.id and gone_at is null",
    replace: "from gone where false",
    killedBy: [SWEEP],
  },
  {
    name: "store-down-fails-the-step",
    promise: "P3",
    breaks: "A step whose body has had its effect fails because its output could not be put into the blob store.",
    file: "lib/worker/steps/keep-outcome.ts",
    find: "if (isBlobUnavailable(error)) return keepInterruption(claim, state, error, claim.stopReason);",
    replace: "if (isBlobUnavailable(error)) return keepFailure(claim, state, errorText(error));",
    killedBy: [FAILING],
  },
  {
    name: "other-bytes-taken",
    promise: "P3",
    breaks: "Other bytes than were put are taken for a step's output.",
    file: "lib/blobs/blobs.ts",
    find: "if (sha256(bytes) !== expected)",
    replace: "if (sha256(bytes) === undefined)",
    killedBy: [FAILING],
  },
  {
    name: "refused-blob-holds-up-others",
    promise: "P3",
    breaks: "A blob that the store refuses to delete keeps those of erased runs beside it from ever being deleted.",
    file: "lib/worker/duties/sweep-blobs.ts",
    find: "let failures = keys.length === 1 ? FAILURES_ON_END : 0;",
    replace: "let failures = FAILURES_ON_END;",
    killedBy: [SWEEP],
  },
  {
    name: "large-start-key-shared",
    promise: "P9",
    breaks: "A start with the key of another large input gets that one's run.",
    file: "lib/store/runs/starter.ts",
    find: 'isBlobOf([before.id, "input"], before.input, large.text)',
    replace: "before.id.length > 0",
    killedBy: ["lib/library/large-inputs.db.test.ts"],
  },
];
