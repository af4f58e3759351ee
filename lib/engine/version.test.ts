import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./version";

it("the version is that of the package", () => {
  const file = new URL("../../package.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: VERSION });
});
