import { newIdempotencyKey } from "../../../lib/api/client/client";
import { MAX_VERIFIED, MAX_VERIFIED_TEXT, type VerificationRequest } from "../../../lib/api/contract/verifications";
import type { VerifyReport } from "../../../lib/verify/verify";
import type { Session } from "../../session/session";

/** Stores what was found of a version of the workflow, for its page in the console. */
export async function publishReport({ client, screen }: Session, report: VerifyReport, commit?: string): Promise<void> {
  const { workflow, version } = report;
  const request = publishedOf(report, commit);
  await client.post(
    "/v1/workflows/{workflow}/verifications",
    { workflow },
    { request, idempotencyKey: newIdempotencyKey() },
  );
  screen.note(`Published for version ${version} of ${workflow}.`);
}

/** The report as far as Handrail takes it: what is too long or too much is cut. */
export function publishedOf(
  { version, steps, trials, findings, asked }: VerifyReport,
  commit?: string,
): VerificationRequest {
  return {
    version,
    commit: commit ?? null,
    trials: trials.length,
    passed: trials.filter(({ verdict }) => verdict !== "finding").length,
    steps: steps.slice(0, MAX_VERIFIED).map(cut),
    findings: findings.slice(0, MAX_VERIFIED).map(({ kind, step, seen, todo, line, faults }) => ({
      ...{ kind, seen: cut(seen), todo: cut(todo), faults: faults.slice(0, MAX_VERIFIED).map(cut) },
      step: step === null ? null : cut(step),
      line: line === null ? null : cut(line),
    })),
    asked: asked
      .slice(0, MAX_VERIFIED)
      .map(({ step, why, line }) => ({ step: cut(step), why: cut(why), line: line === null ? null : cut(line) })),
  };
}

/** Without what PostgreSQL cannot store. */
const cut = (text: string): string => text.replaceAll("\0", "").slice(0, MAX_VERIFIED_TEXT).toWellFormed();
