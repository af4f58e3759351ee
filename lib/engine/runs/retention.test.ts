import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { userSync } from "../../../demo/workflows/user-sync/user-sync";
import { checkRetention, effectiveRetention } from "./retention";

it("unknown outcomes and invalid times are refused", () => {
  expect(() => checkRetention("sync", { lostMs: 5_000 } as never)).toThrow('"lostMs" is no field of retention');
  expect(() => checkRetention("sync", { completedMs: 999 })).toThrow("from 1000 to 100 years");
  expect(() => checkRetention("sync", { completedMs: Number.POSITIVE_INFINITY })).toThrow("whole number");
});

it("the environment's retention applies to workflows without one", () => {
  expect(effectiveRetention(undefined, null)).toBeNull();
  expect(effectiveRetention(undefined, 5_000)).toMatchObject({ completedMs: 5_000, failedMs: 5_000 });
  expect(effectiveRetention({ failedMs: 7_000 }, 5_000)).toEqual({ failedMs: 7_000 });
});

it("the snippet of docs/retention.md is the sample's", () => {
  const days = 30 * 86_400_000;
  expect(readFileSync("docs/retention.md", "utf8")).toContain(
    "retention: { completedMs: 30 * 86_400_000, cancelledMs: 30 * 86_400_000 }",
  );
  expect(userSync.retention).toEqual({ completedMs: days, cancelledMs: days });
});
