import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../workflows/workflow";
import { prepareStart, type StartOptions } from "./start";

const order = defineWorkflow(
  {
    name: "order",
    version: 2,
    input: z.object({ orderId: z.string(), lines: z.array(z.object({ sku: z.string() })).default([]) }),
    tags: ({ orderId }) => ({ orderId }),
  },
  async () => undefined,
);
const prepare = (options: StartOptions, orderId = "A-1") => prepareStart(order, { orderId }, options);

describe("a start", () => {
  it("is checked and filled in by the workflow's schema", async () => {
    expect(await prepare({})).toEqual({
      workflow: "order",
      version: 2,
      input: '{"orderId":"A-1","lines":[]}',
      tags: { orderId: "A-1" },
      idempotencyKey: null,
      runAt: null,
      delayMs: null,
      runTitle: null,
      priority: 0,
      queueKey: null,
      debounce: null,
    });
  });

  it("takes more tags, which override the workflow's tags", async () => {
    expect((await prepare({ tags: { orderId: "mine", shop: "north" } })).tags).toEqual({
      orderId: "mine",
      shop: "north",
    });
  });

  it("is refused with the path of every error in its input", async () => {
    const refused = prepareStart(order, { orderId: 7, lines: [{ sku: "a" }, {}] });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^The input does not fit workflow "order"\. orderId: .+ \(and 1 more\)$/),
      details: { issues: [{ path: ["orderId"] }, { path: ["lines", "1", "sku"] }] },
    });
  });

  it.each([undefined, null, [], "text", 7])("is refused with the input %j", async (input) => {
    await expect(prepareStart(order, input)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("is refused with an input that cannot be kept", async () => {
    const anything = defineWorkflow({ name: "anything", input: z.any() }, async () => undefined);
    await expect(prepareStart(anything, () => undefined)).rejects.toMatchObject({ code: "invalid_value" });
    await expect(prepareStart(anything, "x".repeat(2_000_000))).rejects.toMatchObject({ code: "value_too_large" });
  });
});

describe("an idempotency key", () => {
  it.each(["k", "x".repeat(255), "名前 🙂", "quote '\" \\"])("may be %j", async (idempotencyKey) => {
    expect((await prepare({ idempotencyKey })).idempotencyKey).toBe(idempotencyKey);
  });

  it.each(["", "x".repeat(256), "a\0b", "half \ud800", "\udc00 half"])("may not be %j", async (idempotencyKey) => {
    await expect(prepare({ idempotencyKey })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("tags", () => {
  it("are at most 16", async () => {
    const tags = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag-${index}`, "v"]));
    expect(Object.keys((await prepare({ tags: tags(15) })).tags)).toHaveLength(16);
    await expect(prepare({ tags: tags(16) })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("17"),
    });
  });

  it.each<[string, unknown]>([
    ["", "v"],
    ["n".repeat(65), "v"],
    ["n\0", "v"],
    ["\ud800", "v"],
    ["name", ""],
    ["name", "v".repeat(257)],
    ["name", "v\0"],
    ["name", "\ud800"],
    ["name", 7],
    ["name", null],
  ])("may not be %j = %j", async (name, value) => {
    await expect(prepare({ tags: { [name]: value as string } })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("may have the maximal length, and any name", async () => {
    const tags = { ["n".repeat(64)]: "v".repeat(256), constructor: "c", ["__proto__"]: "p" };
    expect((await prepare({ tags })).tags).toEqual({ orderId: "A-1", ...tags });
  });
});

describe("the instant and the priority", () => {
  it.each([-101, 101, 0.5, Number.NaN])("a priority may not be %s", async (priority) => {
    await expect(prepare({ priority })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it.each([-100, 0, 100])("a priority may be %s", async (priority) => {
    expect((await prepare({ priority })).priority).toBe(priority);
  });

  it.each(["soon", "9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00"])(
    "runAt must be an instant that the database can keep, not %s",
    async (runAt) => {
      await expect(prepare({ runAt: new Date(runAt) })).rejects.toMatchObject({ code: "invalid_request" });
    },
  );

  it.each(["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"])("runAt may be %s", async (runAt) => {
    expect((await prepare({ runAt: new Date(runAt) })).runAt).toEqual(new Date(runAt));
  });
});
