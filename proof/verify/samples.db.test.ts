import { expect, inject, it } from "vitest";
import { workflows } from "../../demo/workflows/index";
import { formatReport, verifyWorkflow } from "../../lib/verify/verify";
import { samples } from "./samples";

const databaseUrl = inject("postgresUrl");

it("every sample workflow has its verification", () => {
  const verified = new Set(samples.map(({ workflow }) => workflow.name));
  expect(workflows.map(({ name }) => name).filter((name) => !verified.has(name))).toEqual([]);
});

it.for(samples.map((sample) => [sample.workflow.name, sample] as const))(
  "%s is retry-safe",
  { timeout: 660_000 },
  async ([, { workflow, options }]) => {
    const report = await verifyWorkflow(workflow, { ...options, databaseUrl });
    expect(report.findings, formatReport(report)).toEqual([]);
    expect(report.trials.length).toBeGreaterThan(5);
  },
);
