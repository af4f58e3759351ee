import { HandrailError } from "../errors";
import { closed, type Openness, open, PLANNED_ACTS } from "../runs/operator-acts";

/**
 * Actions for which a workflow may require a second person. Each can be planned: two people approve a plan, and exactly
 * that plan is executed.
 */
export const FOUR_EYES_ACTS = [...PLANNED_ACTS, "rerun_with_fresh_keys", "waive", "skip"] as const;
export type FourEyesAct = (typeof FOUR_EYES_ACTS)[number];

/** From the approval on; an open request is kept as long as its plan. */
export const APPROVAL_MS = 3_600_000;

/** @throws HandrailError `invalid_workflow` that lists the valid actions */
export function checkFourEyes(workflow: string, acts: readonly string[]): readonly FourEyesAct[] {
  const unknown = acts.find((act) => !(FOUR_EYES_ACTS as readonly string[]).includes(act));
  if (unknown !== undefined)
    throw new HandrailError(
      "invalid_workflow",
      `fourEyes of workflow "${workflow}" names "${unknown}". There are: ${FOUR_EYES_ACTS.join(", ")}.`,
    );
  return [...new Set(acts as readonly FourEyesAct[])];
}

/** `open` waits for a second person; `approved` can be used once, until it expires. */
export const APPROVAL_STATUSES = ["open", "approved", "rejected", "used", "expired"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** People are distinguished by their person id: a program or an anonymous caller does not count as a second person. */
interface Eyes {
  personId: string | null;
  signIn: boolean;
}

/** Whether a caller may request or give an approval. */
export function mayBeEyes({ personId, signIn }: Eyes): Openness {
  if (!signIn)
    return closed(
      "Nobody signs in here, so there is no second person. Turn on sign-in (HANDRAIL_SIGN_IN=on), and let two people in.",
    );
  return personId === null ? closed("Only people who are signed in can do this; a token is nobody's eyes.") : open;
}

/** Whether a caller may answer a request. */
export function mayAnswerRequest(
  request: { status: ApprovalStatus; proposerId: string; approver: string | null },
  personId: string,
): Openness {
  if (request.status === "approved") return closed(`${request.approver} has approved this plan already.`);
  if (request.status === "rejected") return closed(`${request.approver} has rejected this plan.`);
  if (request.status === "used") return closed("This plan was carried out.");
  if (request.status === "expired") return closed("The request has expired. Ask for an approval again.");
  return request.proposerId === personId
    ? closed("You requested this approval: someone else has to review the plan.")
    : open;
}
