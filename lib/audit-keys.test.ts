import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadAuditKeys } from "./audit-keys";
import { EnvError } from "./env";
import { TEST_AUDIT_KEYS } from "./testing/audit-keys";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "audit-keys-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const load = (dataDir = dir) => loadAuditKeys({ auditKeys: null, dataDir });

it("creates a key once, readable by its owner alone, and returns the same one again", () => {
  const folder = path.join(dir, "new");
  const first = load(folder);
  expect(first.current.secret).toHaveLength(32);
  expect(load(folder)).toEqual(first);
  expect(statSync(path.join(folder, "audit-key")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["audit-key"]);
});

it("takes the environment's before the file's", () => {
  expect(loadAuditKeys({ auditKeys: TEST_AUDIT_KEYS, dataDir: dir })).toBe(TEST_AUDIT_KEYS);
  expect(readdirSync(dir)).toEqual([]);
});

it("refuses a key that others may read, one that is none, and a folder that is none; never makes another instead", () => {
  load();
  const file = path.join(dir, "audit-key");
  chmodSync(file, 0o644);
  expect(() => load()).toThrow(EnvError);
  expect(() => load()).toThrow(/chmod 600/);
  writeFileSync(file, "k1:short");
  chmodSync(file, 0o600);
  expect(() => load()).toThrow(/Put it back from a backup/);
  expect(readFileSync(file, "utf8")).toBe("k1:short");
  expect(() => load(path.join(file, "below"))).toThrow(/Set HANDRAIL_AUDIT_KEY/);
});
