import { formatReport, type VerifyReport } from "../../../lib/verify/verify";
import { markup as text } from "./markup";

/** The reports as JUnit's XML: a suite a workflow, a case for each finding, or one that passed. */
export function junitOf(reports: readonly VerifyReport[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${reports.map(suiteOf).join("")}</testsuites>\n`;
}

function suiteOf(report: VerifyReport): string {
  const { workflow, findings, ms } = report;
  const cases = findings.map(
    ({ step, seen, todo, line, faults }) =>
      `    <testcase classname="${text(workflow)}" name="${text(`${step ?? "between steps"}: ${seen}`)}">\n` +
      `      <failure message="${text(seen)}">${text([faults.join(", then "), todo, line ?? ""].filter(Boolean).join("\n"))}</failure>\n    </testcase>\n`,
  );
  const passed = `    <testcase classname="${text(workflow)}" name="is retry-safe"><system-out>${text(formatReport(report))}</system-out></testcase>\n`;
  return (
    `  <testsuite name="${text(workflow)}" tests="${Math.max(1, findings.length)}" failures="${findings.length}" time="${(ms / 1000).toFixed(3)}">\n` +
    `${cases.length > 0 ? cases.join("") : passed}  </testsuite>\n`
  );
}
