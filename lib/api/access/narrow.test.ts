import { expect, it } from "vitest";
import { actionsOf } from "../../engine/access/permission";
import { ENDPOINTS } from "../all-endpoints";
import { runSchema } from "../contract/run";
import { narrowed, withOwnActs } from "./narrow";

it("every endpoint that answers a run closes the actions that its caller may not take", () => {
  const ofRuns = ENDPOINTS.filter(({ answer }) => answer === runSchema);
  expect(ofRuns.length).toBeGreaterThan(10);
  expect(ofRuns.filter(({ narrow }) => narrow !== withOwnActs).map(({ path }) => path)).toEqual([]);
});

it.each([
  [null, undefined, undefined],
  [["one"], undefined, ["one"]],
  [["one"], [], ["one"]],
  [["one", "two"], ["two"], ["two"]],
  [[], undefined, [""]],
  [[], [], [""]],
])("a caller bound to %j who asks for %j is shown %j", (workflows, workflow, shown) => {
  const asker = { actions: actionsOf(["viewer"]), workflows };
  expect(narrowed(asker, { workflow }).workflow).toEqual(shown);
});
