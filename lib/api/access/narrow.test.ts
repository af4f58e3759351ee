import { expect, it } from "vitest";
import { ENDPOINTS } from "../all-endpoints";
import { runSchema } from "../contract/run";
import { withOwnActs } from "./narrow";

it("every endpoint that answers a run closes the actions that its caller may not take", () => {
  const ofRuns = ENDPOINTS.filter(({ answer }) => answer === runSchema);
  expect(ofRuns.length).toBeGreaterThan(10);
  expect(ofRuns.filter(({ narrow }) => narrow !== withOwnActs).map(({ path }) => path)).toEqual([]);
});
