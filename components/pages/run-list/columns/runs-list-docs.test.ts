import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { viewRequest } from "@/lib/api/contract/views";
import { MAX_VIEWS } from "@/lib/engine/runs/saved-view";
import { MAX_PATHS, MAX_PICKED_LENGTH, parseValuePath, pruned } from "@/lib/engine/values/value-path";
import { readColumns } from "../address/column-url";
import { isRunColumn } from "./run-columns";

const page = readFileSync("docs/console/runs-list.md", "utf8");

it("every column in an address of docs/console/runs-list.md is one", () => {
  const addresses = [...page.matchAll(/[?&]cols=(\S+)/g), ...page.matchAll(/"cols":"([^"]+)"/g)].map(([, cols]) =>
    (cols as string).split(","),
  );
  expect(addresses.length).toBeGreaterThan(0);
  for (const cols of addresses) expect(readColumns(cols, isRunColumn)).toHaveLength(cols.length);
});

it("its view is one that the API takes", () => {
  const [, body = ""] = /-d '(.*?)'/s.exec(page) ?? [];
  expect(viewRequest.safeParse(JSON.parse(body)).success).toBe(true);
  expect(page).toContain(`${MAX_VIEWS} views at most`);
});

it("its picked values are what the server picks", () => {
  const [, json = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
  const values = { input: { customer: { tier: "gold", name: "Ada" } }, output: {} };
  for (const [text, shell] of Object.entries(JSON.parse(json))) {
    const path = parseValuePath(text);
    expect(path && pruned(values[path.of], path.keys)).toEqual(shell);
  }
  expect(page).toContain(`${MAX_PATHS} of them are values`);
  expect(page).toContain(`${MAX_PICKED_LENGTH.toLocaleString("en")} characters`);
});
