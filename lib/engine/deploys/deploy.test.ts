import { describe, expect, it } from "vitest";
import { deployName, isSameDeploy } from "./deploy";

const NONE = { version: null, commit: null, build: null };
const COMMIT = "9f3c2d1e00aa55ff9f3c2d1e00aa55ff9f3c2d1e";

describe("two marks mean one deploy", () => {
  it.each([
    ["a commit and its short form", { commit: COMMIT }, { build: "9f3c2d1" }, true],
    ["a version that a worker gives as its build", { version: "1.4.0", commit: COMMIT }, { build: "1.4.0" }, true],
    ["another commit", { commit: COMMIT }, { build: "8a3c2d1" }, false],
    [
      "one version, built from two commits",
      { version: "1", commit: COMMIT },
      { version: "1", commit: "8a3c2d1" },
      false,
    ],
    ["a beginning that is too short for a commit", { commit: COMMIT }, { build: "9f3c" }, false],
    ["versions that begin alike", { version: "1.4" }, { version: "1.4.0" }, false],
    ["no names", {}, {}, false],
  ])("%s", (_, one, other, same) => {
    expect(isSameDeploy({ ...NONE, ...one }, { ...NONE, ...other })).toBe(same);
    expect(isSameDeploy({ ...NONE, ...other }, { ...NONE, ...one })).toBe(same);
  });
});

it.each([
  [{ commit: COMMIT, version: "1.4.0" }, "9f3c2d1"],
  [{ build: "2026-11-25.3" }, "2026-11-25.3"],
  [{ version: "1.4.0" }, "1.4.0"],
  [{ workflows: { orders: [4] } }, "orders v4"],
  [{ workflows: { orders: [4, 5], mails: [2] } }, "orders v4 and 2 more"],
])("%j is called %s", (names, name) => expect(deployName({ ...NONE, workflows: {}, ...names })).toBe(name));
