import { expect, it } from "vitest";
import * as handrail from "./handrail";

it("gives a body what it throws to say what its failure means", () => {
  for (const name of ["NonRetryableError", "OutcomeUnknownError", "RetryAfterError"] as const)
    expect(handrail[name].name, name).toBe(name);
});
