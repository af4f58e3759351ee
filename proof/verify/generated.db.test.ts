import { expect, inject, it } from "vitest";
import { z } from "zod";
import { defineWorkflow, type Workflow } from "../../lib/engine/workflows/workflow";
import { formatReport } from "../../lib/verify/verify";
import { verifySome } from "../../lib/verify/verify-workflow";
import { randomOf } from "../faults/random";
import { verifyGenerated } from "./generated";
import { partsIn, randomWorkflow } from "./random-workflows";

const databaseUrl = inject("postgresUrl");
/** Others each time; the whole is `npm run false-alarms`. */
const seed = Number(process.env.HANDRAIL_SAMPLE ?? 1);

it.for([
  { family: "alone", compensates: false, count: 2 },
  { family: "alone", compensates: true, count: 1, redeployed: true },
  { family: "with-others", compensates: false, count: 1, redeployed: true },
] as const)(
  "generated correct workflows give no finding: $family, compensates: $compensates",
  { timeout: 300_000 },
  async (of) => {
    const { report, workflows } = await verifyGenerated({ databaseUrl, seed, from: 0, ...of });
    expect(report.findings, `${formatReport(report)}\nseed ${seed}: ${JSON.stringify(workflows)}`).toEqual([]);
    expect(report.trials.length).toBeGreaterThan(5 * of.count);
  },
);

it("a provider that ignores keys is found in them", { timeout: 300_000 }, async () => {
  const of = { seed: 1, from: 1, count: 1, family: "alone", compensates: false } as const;
  const { report } = await verifyGenerated({ databaseUrl, ...of, honours: false });
  expect(report.findings.map(({ kind }) => kind)).toContain("twice");
});

it("a seed generates the same workflows, with every kind of part", () => {
  const generate = () =>
    Array.from({ length: 60 }, (_, index) => randomWorkflow(randomOf("generated", 1, index), index, "with-others"));
  expect(generate()).toEqual(generate());
  const kinds = new Set(
    generate()
      .flatMap(partsIn)
      .map(({ kind }) => kind),
  );
  const all = [
    "step",
    "sleep",
    "recorded",
    "transaction",
    "caught",
    "choice",
    "parallel",
    "event",
    "approval",
    "child",
  ];
  expect([...kinds].sort()).toEqual(all.sort());
});

it("tries one fault in so many, and every one over as many seeds", { timeout: 120_000 }, async () => {
  const workflow = defineWorkflow({ name: "sampled", input: z.object({}) }, async (ctx) => {
    await ctx.step("first", () => 1);
  });
  const options = { databaseUrl, inputs: [{}], world: () => ({ observe: () => null }) };
  const numbers = async (seed: number, share: number) =>
    (await verifySome(workflow as Workflow, { ...options, seed }, share)).trials.map(({ number }) => number);
  const [, ...all] = await numbers(1, 1);
  const sampled = await Promise.all([1, 2, 3].map((seed) => numbers(seed, 3)));
  expect(all.length).toBeGreaterThan(8);
  // The run without faults is in each.
  expect(sampled.flatMap(([first, ...others]) => (first === 0 ? others : [])).sort()).toEqual(all.sort());
});
