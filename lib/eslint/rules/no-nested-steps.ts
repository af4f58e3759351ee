import { rule } from "../rule";

/** A call of `ctx` in a body, which is refused with `nested_call`: a body is kept as one outcome. */
export const noNestedSteps = rule(
  "no-nested-steps",
  "A step's body calls no other step",
  function* ({ calls }, places) {
    for (const { node, method } of calls)
      if (places.of(node).has("body"))
        yield {
          node,
          message: `ctx.${method}(…) is refused within a step, whose body is kept as one outcome. Take it out of the body, and await one after the other.`,
        };
  },
);
