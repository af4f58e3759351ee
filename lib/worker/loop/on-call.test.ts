import { expect, it } from "vitest";
import { OnCall } from "./on-call";

it("works once at a time: a ring meanwhile is lost, and one after it begins anew, also after an error", async () => {
  const begun: (() => void)[] = [];
  const troubles: unknown[] = [];
  const call = new OnCall(
    () =>
      new Promise((resolve, reject) => {
        begun.push(begun.length === 0 ? () => reject(new Error("gone")) : resolve);
      }),
    (error) => troubles.push(error),
  );
  call.start();
  call.ring();
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(troubles).toEqual([new Error("gone")]);
  call.ring();
  expect(begun).toHaveLength(2);

  let isOver = false;
  const stopped = call.stop().then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  begun[1]?.();
  await stopped;
  call.ring();
  expect(begun).toHaveLength(2);
});
