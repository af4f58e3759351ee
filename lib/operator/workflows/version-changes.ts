import { HandrailError } from "../../engine/errors";
import { declaredChanges, stepChanges } from "../../engine/workflows/version-changes";
import type { Db } from "../../store/db";
import { declaredVersions, stepsOfVersion, type VersionRow } from "../../store/deploys/version-steps";
import { asInstant } from "../values";

/** Default: the newest version, and the one before it. */
interface Compared {
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * What a version of a workflow does otherwise than another one: by what was registered of both, and by the steps that
 * their last runs had.
 * @throws HandrailError `unknown_workflow`, or `not_found` for a version that nobody registered
 */
export async function readVersionChanges(db: Db, workflow: string, compared: Compared) {
  const versions = await declaredVersions(db, workflow);
  const [newest] = versions;
  if (!newest) throw new HandrailError("unknown_workflow", `No worker has registered a workflow named "${workflow}".`);
  const to = find(versions, workflow, compared.to ?? newest.version);
  const earlier = versions.find(({ version }) => version < to.version);
  const from = compared.from === undefined ? earlier : find(versions, workflow, compared.from);
  const known = versions.map(({ version, registered_at }) => ({ version, registeredAt: asInstant(registered_at) }));
  if (!from) return { workflow, versions: known, changes: null };
  const seen = async (of: VersionRow) => {
    const next = nextMs(versions, of);
    const found = await stepsOfVersion(db, workflow, of.version, next);
    // One process may have both.
    return found.runs > 0 || next === null ? found : stepsOfVersion(db, workflow, of.version, null);
  };
  const [before, after] = await Promise.all([seen(from), seen(to)]);
  return {
    workflow,
    versions: known,
    changes: {
      from: { version: from.version, runs: before.runs },
      to: { version: to.version, runs: after.runs },
      declared: declaredChanges(from, to),
      // Nothing is known of the steps of a version without a run.
      steps: before.runs > 0 && after.runs > 0 ? stepChanges(before.steps, after.steps) : null,
    },
  };
}

function find(versions: readonly VersionRow[], workflow: string, version: number): VersionRow {
  const found = versions.find((one) => one.version === version);
  if (!found) throw new HandrailError("not_found", `No worker has registered version ${version} of "${workflow}".`);
  return found;
}

/** When the next version came; null: there is none. Runs of the earlier one were started before. */
function nextMs(versions: readonly VersionRow[], { version, registered_at }: VersionRow): number | null {
  const later = versions.filter((one) => one.version > version && one.registered_at > registered_at);
  const times = later.map((one) => one.registered_at.getTime());
  return times.length === 0 ? null : Math.min(...times);
}
