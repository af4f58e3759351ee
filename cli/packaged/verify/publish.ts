import { MAX_VERIFIED, MAX_VERIFIED_TEXT } from "../../../lib/engine/workflows/verified";
import type { VerifyReport } from "../../../lib/verify/verify";
import { publishVerification } from "../../commands/publish-verification";
import type { Session } from "../../session/session";

export const publishReport = (session: Session, report: VerifyReport, commit?: string): Promise<void> =>
  publishVerification(session, report.workflow, publishedOf(report, commit));

/** The report as far as Handrail takes it: what is too long or too much is cut. */
function publishedOf({ version, steps, trials, findings, asked }: VerifyReport, commit?: string) {
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
