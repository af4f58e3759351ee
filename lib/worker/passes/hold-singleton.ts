import { inOneGo } from "../../engine/parts";
import { withMaskedKey } from "../../engine/privacy/masked-tags";
import { singletonConflict } from "../../engine/queues/singleton";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { takeSingleton } from "../../store/runs/singleton";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import type { Pass } from "./pass";
import { inputOf } from "./run-code";

/**
 * A run that SQL, an event or a parent started takes its singleton key before its code begins. One with steps began
 * before its workflow was a singleton, and goes on without a key.
 * @throws HandrailError `singleton_conflict` while another run has the key; `invalid_input`
 */
export async function holdSingleton({ claim, rest }: Pass, workflow: Workflow, db: Db): Promise<void> {
  const { run } = claim;
  if (!isToTakeKey(run, workflow)) return;
  await rest.work(async () => {
    const key = keyOf(run, workflow, await inputOf(run, workflow));
    refuseBeside(await claim.retrying(() => takeSingleton(db, run.id, run.epoch, key)), workflow);
  });
}

/** The same for a run that is handed to a worker over HTTP. @throws HandrailError as `holdSingleton` */
export async function takeKey(tx: Db, run: ClaimedRun, workflow: Workflow, input: unknown): Promise<void> {
  refuseBeside(await takeSingleton(tx, run.id, run.epoch, keyOf(run, workflow, input)), workflow);
}

export const isToTakeKey = ({ singletonKey, steps }: ClaimedRun, { singleton }: Workflow): boolean =>
  singleton !== undefined && singletonKey === null && steps.length === 0;

const keyOf = (run: ClaimedRun, { singleton, masked }: Workflow, input: unknown): string =>
  inOneGo(withMaskedKey(singleton?.keyOf(input) ?? "", masked, run.input));

function refuseBeside(holder: string | null, { name }: Workflow): void {
  if (holder !== null) throw singletonConflict(name, holder);
}
