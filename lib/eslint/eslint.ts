import { VERSION } from "../engine/version";
import type { Rule } from "./rule";
import { awaitSteps } from "./rules/await-steps";
import { explainedOnceSteps } from "./rules/explained-once-steps";
import { noEffectsBetweenSteps } from "./rules/no-effects-between-steps";
import { noNestedSteps } from "./rules/no-nested-steps";
import { plainOutputs } from "./rules/plain-outputs";
import { uniqueStepNames } from "./rules/unique-step-names";

export type { Rule } from "./rule";

/** Every rule, by its name in docs/eslint.md. */
export const rules = {
  "await-steps": awaitSteps,
  "no-nested-steps": noNestedSteps,
  "no-effects-between-steps": noEffectsBetweenSteps,
  "unique-step-names": uniqueStepNames,
  "plain-outputs": plainOutputs,
  "explained-once-steps": explainedOnceSteps,
} satisfies Record<string, Rule>;

type RuleName = keyof typeof rules;

const plugin = { meta: { name: "handrail", version: VERSION }, rules };

/** All rules as errors: `export default [recommended]` in eslint.config.js. They speak of workflows alone. */
export const recommended: {
  name: string;
  plugins: { handrail: typeof plugin };
  rules: Record<`handrail/${RuleName}`, "error">;
} = {
  name: "handrail/recommended",
  plugins: { handrail: plugin },
  rules: Object.fromEntries(Object.keys(rules).map((name) => [`handrail/${name}`, "error"])) as Record<
    `handrail/${RuleName}`,
    "error"
  >,
};
