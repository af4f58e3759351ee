import { expect, it } from "vitest";
import { serializeError } from "../values/serialized-error";
import { childNotRepaired, childTimedOut, childTimeoutReason } from "./child-timeout";

const CHILD = { id: "019b", workflow: "report" };

it("the child's audit row says how long its parent waited", () => {
  expect(childTimeoutReason(600_000)).toBe("Its parent waited 10m for it, and no longer");
});

it("the parent's error names the child", () => {
  const error = childTimedOut("build", CHILD, 5_400_000);
  expect(error.message).toBe('The child run 019b of "report" had not ended after 1h 30m, and was cancelled.');
  expect(error).toMatchObject({
    code: "child_timed_out",
    details: { step: "build", runId: "019b", status: "cancelled" },
  });
});

it("of a child that failed and was not repaired, the error says why", () => {
  const stored = JSON.stringify(serializeError(new Error("declined")));
  const error = childNotRepaired("build", CHILD, 1_000, stored);
  expect(error.message).toBe('The child run 019b of "report" failed, and was not repaired within 1s: declined');
  expect(error).toMatchObject({ details: { status: "failed" }, cause: { message: "declined" } });
  expect(childNotRepaired("build", CHILD, 1_000, null).message).toMatch(/within 1s\.$/);
});
