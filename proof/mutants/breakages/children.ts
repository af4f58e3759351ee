import type { Mutant } from "../mutant";

const PARENTS_NOTIFIED = "lib/worker/children/parents-notified.db.test.ts";
const CHILDREN = "lib/worker/children/children.db.test.ts";
const ACTS_OF_CHILDREN = "lib/operator/runs/children.db.test.ts";

/** Parents and children: each started once, each end reported. */
export const children: Mutant[] = [
  {
    name: "child-started-unfenced",
    promise: "P5",
    breaks: "A worker that has lost the parent starts a child.",
    file: "lib/store/steps/record-statement.ts",
    find: "where given.parent_run_id in (select run_id from fenced where holds)\n    on conflict",
    replace: "where given.parent_run_id in (select run_id from fenced)\n    on conflict",
    killedBy: [PARENTS_NOTIFIED],
  },
  {
    name: "child-joined-by-nobody",
    promise: "P4",
    breaks: "A rerun that keeps its keys starts another child.",
    file: "lib/worker/children/run-child.ts",
    find: "const joined = await childBefore(claim, state, db);",
    replace: "const joined = await Promise.resolve(undefined as string | undefined);",
    killedBy: [CHILDREN, ACTS_OF_CHILDREN],
  },
  {
    name: "child-born-without-the-wish",
    promise: "P1",
    breaks: "A child that starts while its parent is being cancelled goes on.",
    file: "lib/store/steps/record-statement.ts",
    find: "fenced.asked = 'cancel') then clock_timestamp() end",
    replace: "fenced.asked = 'nothing') then clock_timestamp() end",
    killedBy: [CHILDREN, ACTS_OF_CHILDREN],
  },
  {
    name: "held-parent-not-told",
    promise: "P1",
    breaks: "A parent that a worker holds is not notified of its child's end.",
    file: "lib/store/runs/wake-parents.ts",
    find: "run.status in ('waiting', 'running')\n",
    replace: "run.status in ('waiting')\n",
    killedBy: [CHILDREN],
  },
  {
    name: "untold-end-forgotten",
    promise: "P1",
    breaks: "What a process that died has not published is never published.",
    file: "lib/worker/children/parent-waker.ts",
    find: "return wakeAllParents(this.db);",
    replace: "return [];",
    killedBy: [PARENTS_NOTIFIED],
  },
  {
    name: "parent-woken-by-each",
    promise: "P1",
    breaks: "A parent is woken by each of its children at once.",
    file: "lib/store/runs/wake-parents.ts",
    find: "clock_timestamp() + open.children * interval '1 ms'",
    replace: "clock_timestamp() + 0 * open.children * interval '1 ms'",
    killedBy: [PARENTS_NOTIFIED],
  },
  {
    name: "cascade-ends-at-children",
    promise: "P9",
    breaks: "A cancel ends the children and lets theirs go on.",
    file: "lib/store/runs/cancel-children.ts",
    find: "parents = rows.map(({ id }) => id);",
    replace: "parents = [];\n    if (rows.length > 0) all.push(...rows.slice(1).map(({ id }) => id));",
    killedBy: [ACTS_OF_CHILDREN, CHILDREN],
  },
  {
    name: "cascade-takes-those-to-be-left",
    promise: "P9",
    breaks: "A cancel takes the children along that were to be left.",
    file: "lib/store/runs/cancel-children.ts",
    find: "and ends_with_parent and finished_at is null",
    replace: "and finished_at is null",
    killedBy: [ACTS_OF_CHILDREN, CHILDREN],
  },
  {
    name: "failed-child-fails-its-parent",
    promise: "P1",
    breaks: "A child's failure fails a parent that is to wait for its repair.",
    file: "lib/worker/children/run-child.ts",
    find: 'child.options.onFailure === "wait")',
    replace: "child.options.onFailure === undefined)",
    killedBy: [CHILDREN, ACTS_OF_CHILDREN],
  },
];
