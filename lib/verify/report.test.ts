import { expect, it } from "vitest";
import { formatReport, type VerifyReport } from "./report";

const report: VerifyReport = {
  ...{ workflow: "order-placed", version: 1, against: null, inputs: 1, seed: 1, pairs: 0, ms: 1_000, postgres: "18.4" },
  ...{ steps: ["charge", "mails", "mails:page-1"], findings: [], asked: [], skipped: 0 },
  trials: [1, 2].map((number) => ({ number, faults: [], verdict: "as_without_faults" })),
};

it("a step is good once every fault was tried, and nothing was found of it", () => {
  expect(formatReport(report)).toContain("✓ charge, mails, mails:page-1");
  expect(formatReport({ ...report, skipped: 3 })).not.toContain("✓");
});

it("the pages of a map are as good as the map", () => {
  const finding = { kind: "twice", step: "mails", seen: "happened twice", todo: "Use the key.", line: null } as const;
  expect(formatReport({ ...report, findings: [{ ...finding, trial: null, faults: [], trials: 1 }] })).toMatch(
    /✓ charge$/m,
  );
});
