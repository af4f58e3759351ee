import { prepareStart } from "../../lib/engine/runs/start";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { type Bench, startWorker } from "./bench";
import { atLeast, atMost, type Figure, perSecond } from "./figure";
import { fanOutChild, fanOutParent } from "./workflows";

/** A run that starts 500 children of one step at once and waits for them all, and one that starts 10,000. */
export async function fanOut(bench: Bench): Promise<Figure[]> {
  await family(bench, 500);
  const small = await family(bench, 500);
  const large = await family(bench, 10_000);
  return [
    {
      measure: "500 children of one parent, children per B50 insert",
      measured: perSecond(small.perSecond),
      value: small.perSecond / bench.b50,
      target: atLeast(0.05),
    },
    {
      measure: "claims of the parent for them",
      measured: `${small.claims}`,
      value: small.claims,
      target: atMost(20),
    },
    {
      measure: "10,000 children of one parent, children per B50 insert",
      measured: perSecond(large.perSecond),
      value: large.perSecond / bench.b50,
      target: atLeast(0.05),
    },
    {
      measure: "claims of the parent for them, per 500 children",
      measured: `${large.claims}`,
      value: large.claims / 20,
      target: atMost(20),
    },
  ];
}

const POLL_MS = 10;

/** From the start of the parent to its end. */
async function family(bench: Bench, children: number): Promise<{ perSecond: number; claims: number }> {
  const worker = await startWorker(bench, { workflows: [fanOutParent, fanOutChild], leaseMs: 30_000 });
  const since = performance.now();
  const { id } = await insertRunOnce(bench.db, await prepareStart(fanOutParent, { children }));
  worker.wake();
  for (;;) {
    const { rows } = await bench.pool.query("select status, epoch::int from handrail.run where id = $1", [id]);
    if (rows[0].status === "completed") {
      const seconds = (performance.now() - since) / 1_000;
      await worker.stop();
      return { perSecond: children / seconds, claims: rows[0].epoch };
    }
    if (rows[0].status === "failed") throw new Error("The parent failed.");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
