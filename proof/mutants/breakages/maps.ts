import type { Mutant } from "../mutant";

const MAPS = "lib/worker/maps/map-steps.db.test.ts";

/** Many items of one run. */
export const maps: Mutant[] = [
  {
    name: "page-begins-anew",
    promise: "P9",
    breaks: "A page of a map counts as a new run: it is held while new runs are paused, and its run with it.",
    file: "lib/store/steps/record-statement.ts",
    find: "case when whole.id is not null then clock_timestamp() end, whole.deadline_at",
    replace: "null::timestamptz, whole.deadline_at",
    killedBy: [MAPS],
  },
  {
    name: "begun-page-is-cut-anew",
    promise: "P3",
    breaks: "After a build with other pages, items of pages that have begun come twice, and others never.",
    file: "lib/worker/maps/map-in-pages.ts",
    find: "(begun[cuts.length - 1] ?? pageSize)",
    replace: "pageSize",
    killedBy: ["lib/worker/maps/begun-pages.db.test.ts"],
  },
  {
    name: "failed-item-stops-nobody",
    promise: "P3",
    breaks: "A map that stops at a failed item goes on behind it.",
    file: "lib/worker/maps/run-page.ts",
    find: 'if (map.onError !== "collect") throw error;',
    replace: 'if (map.onError === "wait") throw error;',
    killedBy: [MAPS],
  },
  {
    name: "collected-failures-complete",
    promise: "P4",
    breaks: "A page with failed items completes: no rerun can repeat those.",
    file: "lib/worker/maps/run-page.ts",
    find: "if (failed.length > 0) throw",
    replace: "if (failed.length < 0) throw",
    killedBy: [MAPS],
  },
  {
    name: "items-named-by-their-page",
    promise: "P3",
    breaks: "Items of two pages have one name: nobody can tell which one failed.",
    file: "lib/worker/maps/run-page.ts",
    find: "map.keyOf(item, input.first + index)",
    replace: "map.keyOf(item, index)",
    killedBy: [MAPS],
  },
  {
    name: "page-is-a-run-of-its-workflow",
    promise: "P1",
    breaks: "A page takes the singleton key of its parent, and is refused.",
    file: "lib/worker/maps/page-code.ts",
    find: "singleton: undefined,",
    replace: "",
    killedBy: [MAPS],
  },
];
