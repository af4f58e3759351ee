import type * as ES from "estree";
import { rule } from "../rule";
import { ancestorsOf, type Node } from "../syntax";
import type { Workflows } from "../workflows";
import { effectOf } from "./effects";

/** Effects, and what differs next time, in code that runs again on every claim. */
export const noEffectsBetweenSteps = rule(
  "no-effects-between-steps",
  "Code between steps has no effect, and reads no clock, randomness or environment",
  function* (workflows, places) {
    const isBetween = (node: Node) => places.of(node).has("between") && !isNoted(node, workflows);
    for (const node of workflows.nodes) {
      const effect = effectOf(node, workflows.names);
      if (effect && isBetween(node))
        yield {
          node,
          message: `${effect.what} between steps: this code runs again on every claim. ${effect.instead}`,
        };
    }
    for (const node of workflows.serviceCalls)
      if (isBetween(node))
        yield {
          node,
          message:
            "A service is called between steps: this code runs again on every claim, and calls it again. Call it in the body of a step.",
        };
  },
);

/** What is only said, by `ctx.log`, `ctx.progress` or `console`, decides nothing. */
function isNoted(node: Node, { notes, names }: Workflows): boolean {
  const isConsole = ({ callee }: ES.CallExpression) =>
    callee.type === "MemberExpression" && names.globalName(callee.object) === "console";
  for (const above of ancestorsOf(node))
    if (above.type === "CallExpression" && (notes.includes(above) || isConsole(above))) return true;
  return false;
}
