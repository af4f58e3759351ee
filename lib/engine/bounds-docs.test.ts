import { expect, it } from "vitest";
import { fileText } from "../testing/doc-snippets";
import { toMilliseconds } from "./duration";
import { MAX_LIMIT, MAX_RATE_MS } from "./queues/queue";
import { MAX_LINES_PER_CLAIM, MAX_LINES_PER_RUN, MAX_MESSAGE_LENGTH } from "./runs/log";
import { MAX_STARTS } from "./runs/run";
import { MAX_STEP_NAME_LENGTH } from "./steps/step";
import { MAX_VALUE_BYTES } from "./values/bounds";
import { MAX_DEPTH } from "./values/codec";

it("the table of bounds matches the code", () => {
  const page = fileText(new URL("../../docs/writing-workflows.md", import.meta.url).href);
  const count = (value: number) => value.toLocaleString("en");
  for (const row of [
    `${count(MAX_VALUE_BYTES)} bytes encoded, ${MAX_DEPTH} levels deep`,
    `a step's name | ${MAX_STEP_NAME_LENGTH} characters`,
    `starts in one call | ${count(MAX_STARTS)}`,
    `${count(MAX_LINES_PER_CLAIM)} a claim, ${count(MAX_LINES_PER_RUN)} a run, ${count(MAX_MESSAGE_LENGTH)} characters`,
    `a rate's period | ${count(MAX_LIMIT)}, a day`,
  ])
    expect(page).toContain(row.replaceAll(/\s+/g, ""));
  expect(MAX_RATE_MS).toBe(toMilliseconds("1d"));
  expect(toMilliseconds("3650d")).toBeGreaterThan(0);
  expect(() => toMilliseconds("3651d")).toThrow(expect.objectContaining({ code: "invalid_value" }));
});
