/** What every engine is given to do: a run of so many steps, whose bodies do nothing but say when they ran. */

/** By the machine's clock, which all processes here share; milliseconds. */
export const now = () => performance.timeOrigin + performance.now();

/** @param step runs one durable step of this name and returns what its body returned */
export async function steps(count, step) {
  const first = await step("step-0", now);
  let last = first;
  for (let n = 1; n < count; n++) last = await step(`step-${n}`, now);
  return { first, last };
}

/** Calls `each(0)` to `each(count - 1)`, so many at a time. */
export async function inFlight(limit, count, each) {
  let next = 0;
  const one = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, one));
}
