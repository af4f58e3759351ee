import { wordsOf } from "../../../lib/verify/faults";
import { isRetrySafe, type TrialResult, type VerifyReport } from "../../../lib/verify/verify";
import { markup as text } from "./markup";

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
  h2 { margin: 2.5rem 0 0; }
  h2 + p { margin: 0 0 1rem; }
  .finding { border-left: 4px solid light-dark(#b3261e, #ff8a80); padding: 0 1rem; margin: 1rem 0; }
  .asked { border-left: 4px solid light-dark(#8a6100, #e8b84a); padding: 0 1rem; margin: 1rem 0; }
  .finding p, .asked p { margin: 0; overflow-wrap: anywhere; }
  code { font: 13px ui-monospace, monospace; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid light-dark(#ddd, #444); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
  td:first-child { text-align: right; font-variant-numeric: tabular-nums; }
  tr.found td { font-weight: 600; }`;

const VERDICTS: Record<TrialResult["verdict"], string> = {
  as_without_faults: "as without faults",
  asks_a_person: "a person is asked, as declared",
  failed: "the run failed, with nothing twice",
  compensated: "compensated",
  cancelled: "cancelled, with nothing twice",
  not_reached: "the run did not pass this boundary",
  finding: "FINDING",
};

/** The reports as one page that needs nothing else: findings first, then every trial. */
export function htmlOf(reports: readonly VerifyReport[]): string {
  const safe = reports.filter(isRetrySafe).length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Retry safety: ${safe} of ${reports.length} workflows</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${safe} of ${reports.length} workflows are retry-safe</h1>
${reports.map(workflowOf).join("\n")}
</body>
</html>
`;
}

function workflowOf(report: VerifyReport): string {
  const { workflow, version, steps, trials, findings, asked, skipped, ms, postgres } = report;
  const about = [
    `version ${version}`,
    `${steps.length} steps`,
    `${trials.length} trials`,
    ...(skipped > 0 ? [`${skipped} left out by the budget`] : []),
    `${(ms / 1_000).toFixed(1)} s on PostgreSQL ${postgres}`,
  ];
  return [
    `<h2>${isRetrySafe(report) ? "✓" : "✗"} ${text(workflow)}</h2>`,
    `<p>${text(about.join(" · "))}</p>`,
    ...findings.map(({ step, seen, faults, todo, line, trial }) =>
      paragraphOf("finding", [
        `<strong>${text(step ?? "between steps")}</strong>: ${text(seen)}`,
        ...(faults.length > 0 ? [`${text(faults.join(", then "))} (trial ${trial})`] : []),
        text(todo),
        ...placeOf(line),
      ]),
    ),
    ...asked.map(({ step, why, line }) =>
      paragraphOf("asked", [`<strong>${text(step)}</strong>: ${text(why)}`, ...placeOf(line)]),
    ),
    `<details><summary>All trials</summary><div class="scroll"><table>`,
    "<thead><tr><th>Trial</th><th>Step</th><th>What was done to it</th><th>What came of it</th></tr></thead><tbody>",
    ...trials.map(rowOf),
    "</tbody></table></div></details>",
  ].join("\n");
}

const paragraphOf = (kind: "finding" | "asked", lines: string[]) =>
  `<div class="${kind}">\n${lines.map((line) => `<p>${line}</p>`).join("\n")}\n</div>`;

const placeOf = (line: string | null) => (line ? [`<code>${text(line)}</code>`] : []);

function rowOf({ number, faults, verdict }: TrialResult): string {
  const steps = [...new Set(faults.flatMap(({ step }) => step ?? []))].join(", ");
  const words = faults.map(wordsOf).join(", then ") || "nothing";
  const kind = verdict === "finding" ? ' class="found"' : "";
  return `<tr${kind}><td>${number}</td><td>${text(steps)}</td><td>${text(words)}</td><td>${VERDICTS[verdict]}</td></tr>`;
}
