import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { schedules } from "../../../demo/workflows/schedules";
import * as endpoints from "../endpoints";

const page = readFileSync("docs/schedules.md", "utf8");

it("the definition in docs/schedules.md is the sample's", () => {
  const snippet = /```ts\n([\s\S]+?)```/.exec(page)?.[1] ?? "";
  const [sample] = schedules;
  for (const [option, value] of Object.entries({ name: sample?.name, title: sample?.title, ...sample?.spec.timing }))
    expect(snippet).toContain(`${option}: ${JSON.stringify(value)}`);
});

it("the command in docs/schedules.md is one that the API takes", () => {
  const [, body = ""] = /schedules\/nightly-user-sync\/firings.*\n.*-d '(.+)'/.exec(page) ?? [];
  expect(endpoints.runScheduleNow.path).toBe("/v1/schedules/{name}/firings");
  expect(endpoints.runScheduleNow.body?.safeParse(JSON.parse(body)).success).toBe(true);
});
