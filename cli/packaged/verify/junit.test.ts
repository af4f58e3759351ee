import { expect, it } from "vitest";
import type { VerifyReport } from "../../../lib/verify/verify";
import { junitOf } from "./junit";

const report: VerifyReport = {
  workflow: "order",
  version: 1,
  steps: ["mail"],
  inputs: 1,
  findings: [],
  asked: [],
  trials: [],
  skipped: 0,
  seed: 1,
  pairs: 0,
  against: null,
  ms: 1_500,
  postgres: "18.1",
};
const finding: VerifyReport["findings"][number] = {
  kind: "twice",
  step: "mail",
  seen: 'happened twice <"&>\u0007',
  todo: "Hand over the key.",
  line: "order.ts:4",
  trial: 3,
  faults: ["worker dies"],
  trials: 1,
};

it("a finding is a failed case, with its text escaped", () => {
  expect(junitOf([{ ...report, findings: [finding] }])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="order" tests="1" failures="1" time="1.500">
    <testcase classname="order" name="mail: happened twice &lt;&quot;&amp;&gt;">
      <failure message="happened twice &lt;&quot;&amp;&gt;">worker dies
Hand over the key.
order.ts:4</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

it("a workflow without findings is a case that passed", () => {
  expect(junitOf([report])).toContain(
    'failures="0" time="1.500">\n    <testcase classname="order" name="is retry-safe">',
  );
});
