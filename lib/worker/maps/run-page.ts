import { HandrailError } from "../../engine/errors";
import type { Context } from "../../engine/workflows/workflow";
import { inLanes } from "./lanes";
import type { PageInput, PageOutput } from "./map-in-pages";
import { checkedPage, type MapPlan } from "./map-plan";

/** A page whose items have all ended, some of them failed. Its run fails, so that a rerun repeats those; the parent goes on with its counts. */
export class ItemsFailed extends HandrailError {
  constructor(
    readonly output: PageOutput,
    first: unknown,
  ) {
    const { done, failed } = output;
    super(
      "items_failed",
      `${failed} of ${done + failed} items failed. The first: ${(first as Error).message}`,
      { done, failed },
      { cause: first },
    );
  }
}

/** The code of a page's run: a step for each of its items. */
export async function runPage(ctx: Context, map: MapPlan, input: PageInput): Promise<PageOutput> {
  const { items, next } = await itemsOf(ctx, map, input);
  const outputs: { output: unknown }[] = [];
  const failures: unknown[] = [];
  await inLanes(items.length, input.concurrency, async (index) => {
    const item = items[index];
    const name = `${map.name}:${map.keyOf(item, input.first + index)}`;
    try {
      outputs[index] = { output: await ctx.step(name, (body) => map.body(item, body), map.step) };
    } catch (error) {
      if (map.onError !== "collect") throw error;
      failures[index] = error;
    }
  });
  const completed = Object.values(outputs).map(({ output }) => output);
  const failed = Object.values(failures);
  const part = map.reduce ? map.reduce(completed) : null;
  const output = { done: completed.length, failed: failed.length, next, part };
  if (failed.length > 0) throw new ItemsFailed(output, failed[0]);
  return output;
}

async function itemsOf(
  ctx: Context,
  map: MapPlan,
  input: PageInput,
): Promise<{ items: readonly unknown[]; next: unknown }> {
  if ("items" in input) return { items: input.items, next: null };
  const { items: read } = map;
  if (typeof read !== "function")
    throw new HandrailError("drifted", `The items of mapSteps "${map.name}" were a function when this page began.`);
  const { items, next = null } = await ctx.step(map.name, async () => checkedPage(map.name, await read(input.cursor)), {
    effect: "pure",
  });
  return { items, next };
}
