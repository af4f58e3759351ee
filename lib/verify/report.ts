import type { ErrorCode } from "../engine/errors";
import type { Hazard } from "./between-steps";
import type { Fault } from "./faults";
import type { Difference } from "./observation";

/** What a verification found. */
export type FindingKind =
  | Difference
  | Hazard
  | ErrorCode
  | "other_path"
  | "fails"
  | "stuck"
  | "unstable"
  | "unfinished"
  | "signal"
  | "compensation_failed";

export interface Finding {
  kind: FindingKind;
  /** The step it concerns; null for what is between steps. */
  step: string | null;
  /** What was seen, in one sentence. */
  seen: string;
  /** What to do. */
  todo: string;
  /** The author's line, such as `workflows/order.ts:41`; null when unknown. */
  line: string | null;
  /** The trial that shows it with the fewest faults; null for what every run shows. */
  trial: number | null;
  /** The faults of that trial, in words. */
  faults: string[];
  /** How many trials showed it. */
  trials: number;
}

/** A step whose outcome may be unknown: then a person decides, as its author declared. */
export interface Asked {
  step: string;
  line: string | null;
  why: string;
  trial: number;
}

export interface TrialResult {
  number: number;
  faults: Fault[];
  /** `as_without_faults`: what happened is equal. */
  verdict: "as_without_faults" | "asks_a_person" | "failed" | "compensated" | "cancelled" | "not_reached" | "finding";
}

/** What `verifyWorkflow` gives. */
export interface VerifyReport {
  workflow: string;
  version: number;
  /** Version of the older build whose runs were handed over to this one; null if deploys were not tried. */
  against: number | null;
  /** Names of its steps, in the order in which the run without faults reached them. */
  steps: string[];
  inputs: number;
  findings: Finding[];
  asked: Asked[];
  trials: TrialResult[];
  /** Planned trials for which the budget left no time. */
  skipped: number;
  seed: number;
  /** Pairs of faults that were asked for. */
  pairs: number;
  ms: number;
  /** Such as `18.1`. */
  postgres: string;
}

/** Whether nothing was found. A step that asks a person is no finding: its author declared it. */
export const isRetrySafe = ({ findings }: Pick<VerifyReport, "findings">): boolean => findings.length === 0;

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The report as text: one paragraph a finding. */
export function formatReport(report: VerifyReport): string {
  const { workflow, version, against, steps, inputs, trials, ms, postgres, findings, asked, skipped } = report;
  const head = [
    `${workflow} v${version}${against === null ? "" : ` against v${against}`}`,
    plural(steps.length, "step"),
    plural(inputs, "input"),
    plural(trials.length, "trial"),
    `${(ms / 1000).toFixed(1)} s on PostgreSQL ${postgres}`,
  ].join(" · ");
  const named = new Set(findings.map(({ step }) => step));
  const good = steps.filter((step) => !named.has(step) && !named.has(step.replace(/:page-\d+$/, "")));
  // What the budget left out may be any step's.
  const ran = trials.length > 1 && skipped === 0;
  return [
    head,
    ...(good.length > 0 && ran ? [`  ✓ ${good.join(", ")}`] : []),
    ...findings.flatMap((finding) => linesOf(finding, report)),
    ...asked.map(({ step, why, line }) => `  ? ${step}: ${why}${line ? `    ${line}` : ""}`),
    ...(skipped > 0 ? [`  The budget ended before ${plural(skipped, "trial")}. Seed ${report.seed}.`] : []),
  ].join("\n");
}

const MARKS: Partial<Record<FindingKind, string>> = {
  clock: "!",
  random: "!",
  environment: "!",
  network: "!",
  signal: "!",
};

function linesOf(finding: Finding, { workflow, against, seed, pairs }: VerifyReport): string[] {
  const { kind, step, seen, todo, line, trial, faults } = finding;
  const shown = faults.length > 0 ? `: ${faults.join(", then ")} (trial ${trial})` : "";
  const sample = pairs > 0 ? ` --pairs ${pairs} --seed ${seed}` : "";
  const older = against === null ? "" : " --against <older build>";
  return [
    `  ${MARKS[kind] ?? "✗"} ${step ? `${step}  ` : ""}${seen}${shown}`,
    `      ${todo}${line ? `    ${line}` : ""}`,
    ...(trial && faults.length > 0
      ? [`      replay this trial: npx handrail verify ${workflow} --trial ${trial}${sample}${older}`]
      : []),
  ];
}

/** For Vitest and Jest: `expect.extend(matchers)`. */
export const matchers = {
  toBeRetrySafe(report: VerifyReport) {
    const pass = isRetrySafe(report);
    const found = pass ? "no findings" : plural(report.findings.length, "finding");
    return { pass, message: () => `${found}:\n${formatReport(report)}` };
  },
};

/** @throws Error with the report as its message unless nothing was found */
export function assertRetrySafe(report: VerifyReport): void {
  if (isRetrySafe(report)) return;
  throw Object.assign(new Error(`${plural(report.findings.length, "finding")}:\n${formatReport(report)}`), {
    name: "AssertionError",
    code: "ERR_ASSERTION",
  });
}
