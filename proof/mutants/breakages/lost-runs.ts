import type { Mutant } from "../mutant";

const SUSPECTS = "lib/store/workers/suspects.db.test.ts";

/** Runs that were lost with their worker, one of which may have ended it. */
export const lostRuns: Mutant[] = [
  {
    name: "takeover-of-poison-goes-on",
    promise: "P1",
    breaks: "A run that kills every worker is taken up again without end.",
    file: "lib/store/workers/suspects.ts",
    find: "run.lost_claims >= $1::int",
    replace: "run.lost_claims >= 1000 * $1::int",
    killedBy: ["lib/store/workers/take-over.db.test.ts"],
  },
  {
    name: "losses-beside-others-count",
    promise: "P1",
    breaks: "A run is judged by losses that another run of the same worker may have caused.",
    file: "lib/store/workers/suspects.ts",
    find: "where loss.suspects = 1 and not exists (",
    replace: "where true or not exists (",
    killedBy: [SUSPECTS],
  },
  {
    name: "turns-of-poisonous-runs",
    promise: "P1",
    breaks:
      "A round that looked for poisonous runs before the last loss gives one a turn all the same: it kills another worker.",
    file: "lib/store/workers/suspects.ts",
    find: `not (\${isPoisonous("placed.lost_at")})`,
    replace: "$1::int > 0",
    killedBy: [SUSPECTS],
  },
  {
    name: "suspects-not-split",
    promise: "P1",
    breaks: "Runs that were lost together all come back together, and meet what killed them again.",
    file: "lib/store/workers/suspects.ts",
    find: `ceil(suspects / \${GROUPS}.0)`,
    replace: "suspects",
    killedBy: [SUSPECTS],
  },
  {
    name: "suspects-although-they-went-on",
    promise: "P1",
    breaks: "A lost run stays a suspect although a step of it has ended since: the next group waits for it.",
    file: "lib/store/workers/suspects.ts",
    find: `or run.finished_at is not null or \${wentOnSince("run.id", "suspect.lost_at")})`,
    replace: "or run.finished_at is not null)",
    killedBy: [SUSPECTS],
  },
  {
    name: "suspects-before-others",
    promise: "P1",
    breaks: "The likeliest suspect comes back beside those that were lost with it, and takes them along again.",
    file: "lib/store/workers/suspects.ts",
    find: "where other.losses < given.losses",
    replace: "where false and other.losses < given.losses",
    killedBy: [SUSPECTS],
  },
];
