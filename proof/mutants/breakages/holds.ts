import type { Mutant } from "../mutant";

const INTAKE = "lib/operator/workflows/intake.db.test.ts";
const CASCADE = "lib/operator/actions/pause-children.db.test.ts";
const ON_VERSION = "lib/operator/actions/rerun-on-version.db.test.ts";

/** What an operator pauses, and on which version a run continues. */
export const holds: Mutant[] = [
  {
    name: "closing-passes-a-claim",
    promise: "P9",
    breaks: "A closing of an intake does not wait for the claims under way.",
    file: "lib/store/queues/intake.ts",
    find: "where stopped_at is null order by id for update",
    replace: "where stopped_at is null order by id",
    killedBy: [INTAKE],
  },
  {
    name: "closed-queue-lets-in",
    promise: "P9",
    breaks: "Of a workflow with limits, runs begin although its intake is closed.",
    file: "lib/store/queues/queue-facts.ts",
    find: "case when closed then 0 when",
    replace: "case when false then 0 when",
    killedBy: [INTAKE],
  },
  {
    name: "closed-intake-holds-what-has-begun",
    promise: "P1",
    breaks: "A closed intake holds what has begun, too.",
    file: "lib/worker/claims/claimer.ts",
    find: "if (goesOn.length === 0) return claim;",
    replace: "if (goesOn.length >= 0) return claim;",
    killedBy: [INTAKE],
  },
  {
    name: "resume-lets-all-go",
    promise: "P9",
    breaks: "The resume of a run resumes children that were paused by themselves.",
    file: "lib/store/runs/pause-children.ts",
    find: '"pause_root = $2::uuid", RELEASED',
    replace: "\"status = 'paused'\", RELEASED",
    killedBy: [CASCADE],
  },
  {
    name: "child-born-free",
    promise: "P9",
    breaks: "A child that a parent starts while it is being paused with its children is not held.",
    file: "lib/store/steps/record-statement.ts",
    find: "where asked = 'pause' and pause_root is not null",
    replace: "where false",
    killedBy: [CASCADE],
  },
  {
    name: "chosen-version-ignored",
    promise: "P9",
    breaks: "A worker goes on with a run by another version than the one that was chosen for it.",
    file: "lib/engine/workflows/workflow-versions.ts",
    find: "if (run.chosenVersion !== null) return",
    replace: "if (run.chosenVersion === 0) return",
    killedBy: [ON_VERSION],
  },
];
