import { checkWorkflowName } from "../../engine/workflows/workflow-name";
import type { Db } from "../../store/db";
import {
  keepVerification,
  listVerifications,
  type VerificationRow,
  type Verified,
} from "../../store/workflows/verifications";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { asInstant } from "../values";

const verificationView = ({ verified_at, published_by, ...row }: VerificationRow) => ({
  ...row,
  verifiedAt: asInstant(verified_at),
  by: published_by,
});

interface Publishing extends Verified {
  version: number;
}

/** Also of a workflow that no worker has registered yet: pipelines verify before they deploy. @throws HandrailError `invalid_request` */
export function publishVerification(desk: Desk, workflow: string, { version, ...verified }: Publishing) {
  checkWorkflowName(workflow, "invalid_request");
  const { commit, trials, passed, findings } = verified;
  const details = { version, commit, trials, passed, findings: findings.length };
  const reason = "A verification was published.";
  const attempt: Attempt = { act: "publish_verification", runId: null, workflow, reason, details, before: {} };
  return audited(desk, attempt, async (tx, record) => {
    const row = await keepVerification(tx, { workflow, version, by: desk.by.name }, verified);
    await record({});
    return { status: 200, body: verificationView(row) };
  });
}

/** Newest version first. @throws HandrailError `invalid_request` for what names no workflow */
export async function readVerifications(db: Db, workflow: string) {
  checkWorkflowName(workflow, "invalid_request");
  const rows = await listVerifications(db, workflow);
  return { workflow, verifications: rows.map(verificationView), updatedAt: new Date().toISOString() };
}
