import { expect, it } from "vitest";
import { z } from "zod";
import { remoteWorkflow } from "../workflows/remote-workflow";
import { defineWorkflow } from "../workflows/workflow";
import { MAX_TITLE } from "./run-title";
import { prepareStart } from "./start";

const input = z.object({ orderId: z.string(), email: z.string().optional() });
type Order = z.infer<typeof input>;
const titled = (runTitle: (order: Order) => string | undefined, masked: string[] = []) =>
  defineWorkflow({ name: "order", input, masked, runTitle }, async () => undefined);
const titleOf = async (workflow: ReturnType<typeof titled>, given: Order = { orderId: "A-17" }) =>
  (await prepareStart(workflow, given)).runTitle;

it("is one line, as its workflow names it", async () => {
  expect(await titleOf(titled(({ orderId }) => ` Order\n${orderId}\u0000 `))).toBe("Order A-17");
  expect(await titleOf(titled(() => undefined))).toBeNull();
  expect(await titleOf(titled(() => "  "))).toBeNull();
  const plain = defineWorkflow({ name: "order", input }, async () => undefined);
  expect((await prepareStart(plain, { orderId: "A-17" })).runTitle).toBeNull();
});

it("is cut, between whole characters", async () => {
  const long = await titleOf(titled(() => "😀".repeat(200)));
  expect(long).toBe(`${"😀".repeat(MAX_TITLE - 1)}…`);
});

it("holds no masked value, cut or whole", async () => {
  const byMail = titled(({ orderId, email }) => `${orderId} of ${email}`, ["email"]);
  expect(await titleOf(byMail, { orderId: "A-17", email: "ada@example.com" })).toBe("A-17 of •••");
  const late = titled(({ email }) => `${"x ".repeat(54)}${email}`, ["email"]);
  expect(await titleOf(late, { orderId: "A-17", email: "ada.lovelace@example.com" })).not.toContain("ada.love");
});

it("that is no text is refused before anything is written", async () => {
  await expect(titleOf(titled(() => 17 as never))).rejects.toThrow('runTitle of workflow "order" returns a text');
});

it("of a workflow in another language is a text with pointers", async () => {
  const order = remoteWorkflow(
    { name: "order", version: 1, language: "Python 3.12", runTitle: "Order {/order/id} · {/lines/0}" },
    z.unknown(),
  );
  const titleFor = async (given: unknown) => (await prepareStart(order, given)).runTitle;
  expect(await titleFor({ order: { id: 17 }, lines: ["a"] })).toBe("Order 17 · a");
  expect(await titleFor({ order: { id: 17 } })).toBeNull();
});
