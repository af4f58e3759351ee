import { HandrailError, unknownRun } from "../../engine/errors";
import { hasEnded, type RunStatus } from "../../engine/runs/run";
import type { Db } from "../../store/db";
import { selectPublished } from "../../store/steps/published";
import { asInstantOrNull, asJsonOrNull } from "../values";

/**
 * What a run has published under a name; `published` is false while it has not.
 * @throws HandrailError `unknown_run`; `not_found` once it has ended without
 */
export async function readPublished(db: Db, runId: string, name: string) {
  const found = await selectPublished(db, { runId, name });
  if (!found) throw unknownRun(runId);
  const { workflow, status, value, publishedAt, supplied } = found;
  if (value === null && hasEnded(status)) throw neverPublished(runId, status);
  return {
    ...{ runId, workflow, status, name, supplied },
    published: value !== null,
    value: asJsonOrNull(value),
    publishedAt: asInstantOrNull(publishedAt),
  };
}

/** Without the name: the caller typed it, and masking it would reveal that it is a masked value. */
export const neverPublished = (runId: string, status: RunStatus) =>
  new HandrailError("not_found", `The run has ended (${status}) and published nothing under this name.`, {
    runId,
    status,
  });
