import { expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "./event";
import { prepareEvent } from "./prepare-event";

const paid = defineEvent({ name: "order.paid", payload: z.object({ cents: z.int() }) });

it("is sent unchanged", async () => {
  expect(await prepareEvent(paid, { cents: 5 }, { key: "A-1", id: "psp-1" })).toEqual({
    name: "order.paid",
    id: "psp-1",
    runId: null,
    key: "A-1",
    payload: '{"cents":5}',
    sentBy: null,
  });
});

it.each([
  ["a payload that does not fit", () => prepareEvent(paid, { cents: 0.5 }, {}), "invalid_input"],
  ["a name that no event can have", () => prepareEvent("$approval:1:x", 1, {}), "invalid_request"],
  ["an empty key", () => prepareEvent("e", 1, { key: "" }), "invalid_request"],
  ["an id that is too long", () => prepareEvent("e", 1, { id: "x".repeat(256) }), "invalid_request"],
  ["a run that is none", () => prepareEvent("e", 1, { runId: "A-1" }), "invalid_request"],
  [
    "two addresses",
    () => prepareEvent("e", 1, { runId: "019aa5e0-0000-7000-8000-000000000001", key: "k" }),
    "invalid_request",
  ],
  ["a payload that cannot be kept", () => prepareEvent("e", () => 1, {}), "invalid_value"],
])("refuses %s before anything is written", async (_, prepare, code) => {
  await expect(prepare()).rejects.toMatchObject({ code });
});
