import { expect, it } from "vitest";
import type { VerifyReport } from "../../../lib/verify/verify";
import { htmlOf } from "./html";

const report: VerifyReport = {
  workflow: "order",
  version: 1,
  steps: ["mail"],
  inputs: 1,
  findings: [],
  asked: [],
  trials: [{ number: 0, faults: [], verdict: "as_without_faults" }],
  skipped: 0,
  seed: 1,
  pairs: 0,
  against: null,
  ms: 1_500,
  postgres: "18.1",
};

it("what a workflow says is text on the page, in findings and in trials", () => {
  const hostile = "<script>alert(1)</script>";
  const page = htmlOf([
    report,
    {
      ...report,
      workflow: hostile,
      findings: [
        {
          kind: "twice",
          step: hostile,
          seen: hostile,
          todo: hostile,
          line: hostile,
          trial: 3,
          faults: [hostile],
          trials: 1,
        },
      ],
      asked: [{ step: hostile, why: hostile, line: hostile, trial: 4 }],
      trials: [{ number: 3, faults: [{ kind: "down", step: hostile }], verdict: "finding" }],
    },
  ]);
  expect(page).not.toContain("<script>");
  expect(page).toContain("<h1>1 of 2 workflows are retry-safe</h1>");
  expect(page).toContain("<h2>✓ order</h2>");
  expect(page).toContain(`<h2>✗ &lt;script&gt;alert(1)&lt;/script&gt;</h2>`);
  expect(page).toContain("<td>the provider is down for good</td><td>FINDING</td>");
});
