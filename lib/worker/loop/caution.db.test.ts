import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const PLACES = 8;

describe.skipIf(process.platform !== "linux")("a worker whose predecessor on the same machine lost its lease", () => {
  it("begins with half of its capacity", async () => {
    const end = gate();
    const workflow = defineWorkflow({ name: "careful", input: z.object({}) }, (ctx) =>
      ctx.step("held", () => end.opened),
    );
    await engine.worker([workflow], { leaseMs: 2_000 });
    await engine.endLeases();
    await until("The mark", async () => {
      const marked = await engine.rows("select from handrail.worker where lease_lost_at is not null");
      return marked.length > 0;
    });
    const runs = await Promise.all(Array.from({ length: PLACES }, () => engine.start(workflow)));
    await engine.worker([workflow], { leaseMs: 60_000, concurrency: PLACES });
    const taken = await until("The first claim", async () => {
      const rows = await engine.rows("select from handrail.run where status = 'running'");
      return rows.length > 0 && rows.length;
    });
    expect(taken).toBe(PLACES / 2);
    end.open();
    for (const runId of runs) expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });
});
