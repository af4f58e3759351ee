import { expect, inject, it } from "vitest";
import { formatReport } from "../../lib/verify/verify";
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
