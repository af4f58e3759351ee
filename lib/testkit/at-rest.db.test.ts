import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { anEngine } from "../testing/workers/engine";
import { restOf } from "./at-rest";

const LOOKS = 300;
const engine = anEngine();

it("sees runs and timers at one moment: a run that comes due and rests again is never taken for one that has ended", async () => {
  const workflow = defineWorkflow({ name: "restless", input: z.object({}) }, async () => undefined);
  const id = await engine.start(workflow, {});
  let over = false;
  const change = async () => {
    while (!over)
      await engine.rows(
        "update handrail.run set due_at = case when due_at is null then clock_timestamp() + interval '1 h' end where id = $1",
        [id],
      );
  };
  const changing = change();
  const seen = { ready: 0, waiting: 0, neither: 0 };
  for (let look = 0; look < LOOKS; look++) {
    const { restless, timerMs } = await restOf(engine.database.pool, [workflow.name]);
    seen[restless.length > 0 ? "ready" : timerMs === null ? "neither" : "waiting"]++;
  }
  over = true;
  await changing;
  expect(seen.neither).toBe(0);
  expect(Math.min(seen.ready, seen.waiting)).toBeGreaterThan(0);
});
