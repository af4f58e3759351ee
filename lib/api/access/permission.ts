import type { Asker } from "../../access/asker";
import { type Target, type TargetSource, targetOf } from "../../access/target";
import { type Action, may } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import { OPERATION_WORKFLOW } from "../../engine/operations/operation";
import type { Openness } from "../../engine/runs/operator-acts";
import { keepRefusal } from "../../operator/audit/audited";
import type { Desk } from "../../operator/desk";
import type { EndpointAction } from "../endpoint";

/** The caller of an endpoint that demands one. @throws HandrailError `unauthenticated` */
export function known(asker: Asker | null): Asker {
  if (asker) return asker;
  throw new HandrailError("unauthenticated", "Sign in first.");
}

/** @throws HandrailError `unauthenticated` */
export function demandSignIn(action: EndpointAction, asker: Asker | null): void {
  if (action !== "public" && !asker)
    throw new HandrailError("unauthenticated", "Sign in first, or send a token that has not expired.");
}

/**
 * With a body, checked twice: before it is read, whether the caller may at all; after it, whether they may for the
 * workflows that it names.
 * @throws HandrailError `forbidden`; a mutation that is refused so leaves its row in the audit
 */
export async function demandPermission(
  { action, method }: { action: EndpointAction; method: string },
  asker: Asker | null,
  desk: Desk,
  source: TargetSource,
): Promise<void> {
  if (action === "public" || action === "self" || !asker) return;
  const narrowed = asker.workflows !== null && asker.actions.has(action);
  const target = narrowed ? await targetOf(desk.db, source) : null;
  const openness = opennessOf(asker, action, source, target);
  if (openness.open) return;
  const error = new HandrailError("forbidden", openness.because, { action });
  if (method !== "GET") await recordRefusal(desk, action, source, error);
  throw error;
}

const WORKS_ELSEWHERE: Openness = {
  open: false,
  because: "You may not work on this: it belongs to none of your workflows.",
};

/** A worker that is bound to workflows does not learn that other workflows' runs or workers exist. */
function opennessOf(asker: Asker, action: Action, { params }: TargetSource, target: Target | null): Openness {
  const openness = may(asker, action, target?.workflows ?? []);
  if (action !== "worker.work" || target === null || Object.keys(params as object).length === 0) return openness;
  return openness.open && target.workflows !== null ? openness : WORKS_ELSEWHERE;
}

/**
 * A request for something that does not exist is no attempt. A plan to be made concerns runs that have not been read.
 */
async function recordRefusal(desk: Desk, action: Action, source: TargetSource, error: HandrailError): Promise<void> {
  const target = await targetOf(desk.db, source);
  const { runId, schedule, workflow = action === "plan.make" ? OPERATION_WORKFLOW : undefined } = target;
  if (runId === null && schedule === undefined && workflow === undefined) return;
  const act = action === "payload.read" ? "unmask" : action.slice(action.indexOf(".") + 1);
  await keepRefusal(
    desk,
    { act, runId, schedule, workflow, reason: "Asked for without permission.", before: {} },
    error,
  );
}
