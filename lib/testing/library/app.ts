import { createHandrail, isHandrailError } from "../../library/handrail";
import { orderPaid, orderPlaced } from "./order-paid";

export const handrail = createHandrail({ workflows: [orderPlaced] });

/** Where the process starts. */
export async function main() {
  await handrail.worker({ concurrency: 20 }).start();
  process.once("SIGTERM", () => handrail.close());
}

export async function order(orderId: string) {
  const run = await handrail.start(orderPlaced, { orderId }, { idempotencyKey: `order:${orderId}` });
  await handrail.send(orderPaid, { cents: 4_900 }, { key: orderId });
  const { output } = await run.result({ timeoutMs: 10_000 });
  return output.number;
}

/** The outcome of a run that another process has started. */
export async function resultOf(runId: string) {
  try {
    const { output } = await handrail.run(runId, orderPlaced).result({ timeoutMs: 10_000 });
    return { status: "completed", output };
  } catch (error) {
    if (!isHandrailError(error)) throw error;
    // run_failed: it failed or was cancelled, and error.cause is why. wait_timed_out: it goes on.
    return { status: error.code, because: error.message };
  }
}

export async function cancelUnpaid() {
  const { runs } = await handrail.list({ workflow: ["order-placed"], status: ["waiting"], limit: 100 });
  for (const { id } of runs) await handrail.run(id).cancel({ reason: "not paid by the end of the day" });
  return runs.length;
}
