import { rule } from "../rule";
import { propertyOf } from "../syntax";

/** What tells a person, or the code, how a lost `once` step went. */
const HELPS = ["reconcile", "instructions", "reference"];

/** A `once` step whose lost outcome would be a riddle. */
export const explainedOnceSteps = rule(
  "explained-once-steps",
  "A step with the effect `once` can be resolved when its outcome is lost",
  function* ({ calls }) {
    for (const { method, options } of calls) {
      const effect = method === "step" && options ? propertyOf(options, "effect") : undefined;
      if (!options || effect?.type !== "Literal" || effect.value !== "once") continue;
      if (options.properties.some((one) => one.type !== "Property") || HELPS.some((name) => propertyOf(options, name)))
        continue;
      yield {
        node: effect,
        message:
          "If the outcome of this `once` step is lost, a person has to find out how it went, with nothing to go by. Give it `reconcile`, which asks the provider, or `instructions` and the provider's `reference`.",
      };
    }
  },
);
