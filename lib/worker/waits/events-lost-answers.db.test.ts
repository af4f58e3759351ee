import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareEvent } from "../../engine/events/prepare-event";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { sendEvent } from "../../store/events/send-event";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { anEngine } from "../../testing/workers/engine";

// A worker whose network loses an answer, or breaks, while it takes events: each is taken once, and none is lost.

const engine = anEngine();

let proxy: TestProxy;
beforeEach(async () => {
  proxy = await startProxy(engine.database.url);
});
afterEach(() => proxy.close());

/**
 * By the names of prepared statements; a commit is a plain one, which ends in NUL: here of a transaction that reads
 * events.
 */
const STATEMENTS = [
  ["lock-event-keys"],
  ["look-for-events"],
  ["take-events"],
  ["keep-event-waits"],
  ["commit\0", "look-for-events"],
] as const;

describe.each(["loseAnswer", "cut"] as const)("a network that does %s", (trouble) => {
  it.each(STATEMENTS.map(([statement, after], index) => [index, statement, after] as const))(
    "to statement %i, %s",
    async (index, statement, after) => {
      const key = `${trouble}-${index}`;
      const workflow = defineWorkflow(
        { name: `lost-${trouble.toLowerCase()}-${index}`, input: z.unknown() },
        async (ctx) => [
          await ctx.waitForEvent("first", { event: "go", key }),
          await ctx.waitForEvent("second", { event: "go", key }),
          await ctx.waitForEvent("third", { event: "go", key, timeout: 30, default: "no more" }),
        ],
      );
      for (const payload of ["a", "b"]) await sendEvent(engine.db, await prepareEvent("go", payload, { key }));
      // First the worker: its registration commits, too.
      await engine.worker([workflow], { url: proxy.url });
      const happened = proxy[trouble](statement, after);
      const runId = await engine.start(workflow);
      await happened;
      expect((await engine.untilEnded(runId)).run.output).toEqual(["a", "b", "no more"]);
      const taken = "select payload from handrail.event where taken_by = $1 order by seq";
      expect(await engine.rows(taken, [runId])).toEqual([{ payload: '"a"' }, { payload: '"b"' }]);
    },
  );
});
