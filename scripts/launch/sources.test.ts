import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fingerprintOf } from "./sources.mjs";

let root: string;
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "handrail-sources-"));
  write("lib/one.ts", "1");
  write("proxy.ts", "2");
});
afterEach(() => rmSync(root, { recursive: true }));

it("a build is known by what it was made from, whenever that was written: a clone or a copy is not built again", () => {
  const before = fingerprintOf(root);
  utimesSync(path.join(root, "lib/one.ts"), new Date(), new Date());
  write("lib/one.test.ts", "no part of a build");
  write("lib/generated/prisma/client.ts", "made of the schema");
  write("docs/one.md", "no part of a build");
  expect(fingerprintOf(root)).toBe(before);
});

it.each([
  ["lib/one.ts", "other text"],
  ["lib/two.ts", ""],
  ["handrail.config.ts", "the app, whose workflows drives run in the console's process"],
  ["workflows/first.ts", "3"],
  ["demo/app.ts", "4"],
  ["prisma/schema.prisma", "5"],
])("%s is a part of it", (file, text) => {
  const before = fingerprintOf(root);
  write(file, text);
  expect(fingerprintOf(root)).not.toBe(before);
});
