import type { Mutant } from "../mutant";

/** What keeps the programs of one machine running. */
export const launcher: Mutant[] = [
  {
    name: "ended-program-stays-ended",
    promise: "P1",
    breaks: "The launcher starts no other worker in the place of one that ended.",
    file: "scripts/launch/keep-running.ts",
    find: "child = start();\n    }",
    replace: "return how;\n    }",
    killedBy: ["scripts/launch/keep-running.test.ts"],
  },
  {
    name: "restarts-without-pause",
    promise: "P1",
    breaks: "A program that fails at once is started again and again without a pause.",
    file: "scripts/launch/pauses.ts",
    find: "this.ends += 1;",
    replace: "this.ends += 0;",
    killedBy: ["scripts/launch/pauses.test.ts", "scripts/launch/keep-running.test.ts"],
  },
  {
    name: "hanging-database-left-behind",
    promise: "P1",
    breaks: "Handrail does not stop, or leaves its embedded database behind, when the database hangs.",
    file: "scripts/postgres/server.ts",
    find: "for (const pid of [running.pid, ...(await childrenOf(running.pid))]) {",
    replace: "for (const pid of [] as number[]) {",
    killedBy: ["scripts/postgres/embedded.db.test.ts"],
  },
  {
    name: "foreign-process-taken-for-the-server",
    promise: "P1",
    breaks: "The embedded database does not start while another program has the number of its killed server.",
    file: "scripts/postgres/server.ts",
    find: "return place === undefined || place === (await realpath(data));",
    replace: "return place !== data || place === (await realpath(data));",
    killedBy: ["scripts/postgres/embedded.db.test.ts"],
  },
];
