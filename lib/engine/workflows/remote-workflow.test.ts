import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart } from "../runs/start";
import { remoteWorkflow } from "./remote-workflow";

const definition = { name: "parcel", version: 2, language: "Python 3.12" };
const started = (more: object, input: unknown) =>
  prepareStart(remoteWorkflow({ ...definition, ...more }, z.unknown()), input);

describe("a workflow in another language", () => {
  it("starts runs with the tags that its pointers find: texts and numbers, and nothing else", async () => {
    const tags = {
      id: "/order/id",
      second: "/lines/1",
      odd: "/a~1b~0c",
      absent: "/order/none",
      object: "/order",
      proto: "/__proto__",
    };
    const input = { order: { id: 7 }, lines: ["x", "y"], "a/b~c": "z" };
    expect(await started({ tags }, input)).toMatchObject({ version: 2, tags: { id: "7", second: "y", odd: "z" } });
    expect((await started({ tags }, "text")).tags).toEqual({});
  });

  it("puts runs into the queue that its key finds, or into the one of those without", async () => {
    const limits = { concurrency: { limit: 1, key: "/shop" }, rateLimit: { limit: 5, perMs: 1_000, key: "/shop" } };
    expect((await started(limits, { shop: "a" })).queueKey).toBe("a");
    expect((await started(limits, {})).queueKey).toBe("");
    expect((await started({ concurrency: { limit: 1 } }, { shop: "a" })).queueKey).toBe("");
    expect((await started({}, { shop: "a" })).queueKey).toBeNull();
  });

  it("refuses limits that count by different keys, and runs none of its steps here", async () => {
    const apart = { concurrency: { limit: 1, key: "/a" }, rateLimit: { limit: 1, perMs: 10, key: "/b" } };
    expect(() => remoteWorkflow({ ...definition, ...apart }, z.unknown())).toThrow(
      expect.objectContaining({ code: "invalid_workflow" }),
    );
    const { handler } = remoteWorkflow(definition, z.unknown());
    await expect(handler({} as Parameters<typeof handler>[0], {})).rejects.toMatchObject({ code: "internal" });
  });
});
