import type { Operation, OperationAndRuns } from "../../lib/api/contract/operations";
import { formatCount } from "../../lib/format";
import { openBar } from "../output/bar";
import { factsText } from "../output/facts";
import { paintStatus } from "../output/paint";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import type { Session } from "../session/session";
import { pauseFor } from "../session/wait";

const EVERY_MS = 400;

/** Until the operation has ended or paused. Ctrl-C ends the watching alone. */
export async function watchOperation(session: Session, operationId: string): Promise<OperationAndRuns> {
  const { client, screen, signal } = session;
  const bar = openBar(screen, "operation");
  let announced = false;
  try {
    for (;;) {
      const operation = await client.read("/v1/operations/{operationId}", { operationId });
      const { total, ...outcomes } = operation.counts;
      const settled = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
      if (operation.status === "running" && !announced)
        screen.note(`Workers carry it out; Ctrl-C only stops watching: handrail operations show ${operationId}`);
      if (operation.status === "running" || announced) bar.update(settled, total, plain(operation.pausedBecause ?? ""));
      if (operation.status !== "running") return operation;
      announced = true;
      await pauseFor(EVERY_MS, signal);
    }
  } finally {
    bar.stop();
  }
}

export function finishedText(screen: Screen, operation: Operation): string {
  const { total, done, already, notEligible, changed, failed } = operation.counts;
  const some = (count: number) => (count === 0 ? "" : formatCount(count));
  return factsText(screen, {
    operation: operation.id,
    status: paintStatus(screen.paint, operation.status),
    because: plain(operation.pausedBecause ?? ""),
    done: `${formatCount(done)} of ${formatCount(total)}`,
    "already done": some(already),
    "not possible any more": some(notEligible),
    "changed since the plan": some(changed),
    failed: some(failed),
  });
}
