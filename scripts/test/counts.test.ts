import { expect, test } from "vitest";
import { asText, fromPlaywright, fromVitest, settle, sum, unsteadyOfPlaywright, unsteadyOfVitest } from "./counts";

const testsThat = (...statuses: string[]) => statuses.map((status) => ({ status }));

test("vitest's tests are counted, whatever stands in for skipped", () => {
  const report = {
    testResults: [
      { status: "passed", assertionResults: testsThat("passed", "passed", "skipped", "todo", "pending") },
      { status: "failed", assertionResults: testsThat("passed", "failed", "failed") },
    ],
  };
  expect(fromVitest(report)).toEqual({ passed: 3, failed: 2, skipped: 3 });
});

test("a file that did not load, or whose hook threw, is one failure", () => {
  const report = {
    testResults: [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: testsThat("skipped", "skipped") },
    ],
  };
  expect(fromVitest(report)).toEqual({ passed: 0, failed: 2, skipped: 2 });
});

test("a test that passed only when it was tried again is counted, and named", () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
  const specs = [
    { file: "a.spec.ts", title: "is steady", tests: [{ status: "expected" }] },
    {
      file: "a.spec.ts",
      title: "is not",
      tests: [{ status: "flaky", results: [{ error: { message: "Error: too \u001b[31mfew\nmore" } }, {}] }],
    },
  ];
  const browser = { stats, suites: [{ suites: [{ specs }] }] };
  expect(fromPlaywright(browser)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  expect(unsteadyOfPlaywright(browser)).toEqual(["a.spec.ts > is not: Error: too few"]);

  const failureMessages = ["Error: too late\n    at x.ts:1"];
  const assertionResults = [
    { status: "passed", fullName: "is steady", failureMessages: [] },
    { status: "passed", fullName: "is not", failureMessages },
    { status: "failed", fullName: "is broken", failureMessages },
  ];
  const report = { testResults: [{ name: "x.db.test.ts", status: "failed", assertionResults }] };
  expect(unsteadyOfVitest(report)).toEqual(["x.db.test.ts > is not: Error: too late"]);
});

test("a program that fails is a failure, also when its report is green or missing", () => {
  const green = { passed: 3, failed: 0, skipped: 0 };
  expect(settle(green, 0)).toEqual(green);
  expect(settle(green, 1)).toEqual({ ...green, failed: 1 });
  expect(settle(green, null)).toEqual({ ...green, failed: 1 });
  expect(settle({ passed: 1, failed: 2, skipped: 0 }, 1).failed).toBe(2);
  expect(settle(undefined, 0).failed).toBe(1);
});

test("the last line names what was skipped only if something was", () => {
  const total = sum([
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 1, failed: 1, skipped: 0 },
  ]);
  expect(asText(total)).toBe("3 passed, 1 failed");
  expect(asText({ ...total, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});
