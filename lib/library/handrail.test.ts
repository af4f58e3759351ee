import { expect, it } from "vitest";
import { NonRetryableError, OutcomeUnknownError, RetryAfterError } from "./handrail";

it("gives a body what it throws to say what its failure means", () => {
  const thrown = [new NonRetryableError("no"), new OutcomeUnknownError("?"), new RetryAfterError("busy", 7)];
  expect(thrown.map(({ name }) => name)).toEqual(["NonRetryableError", "OutcomeUnknownError", "RetryAfterError"]);
});
