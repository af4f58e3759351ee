import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { describe, expect, inject, it } from "vitest";
import { oneIn } from "../../../lib/testing/sample";
import { packConsole } from "../../../scripts/pack/console/pack-console";
import { pack } from "../../../scripts/pack/pack";
import { aScratchFolder } from "../installed-app";
import { NEEDED } from "./needed";
import { paths } from "./paths";
import { walk } from "./walk";

/** `upgrade` has a test by itself: proof/package/upgrade.crash.test.ts. */
const WALKED = paths.map(({ name }) => name).filter((name) => name !== "upgrade");
/** The longest takes two minutes and a half where nobody else works. */
const LONGEST_MS = 900_000;

const isMissing = (program: string) => spawnSync(program, ["--version"]).status !== 0;

/** The paths of `npm run adopt`, one of them each time. */
describe.skipIf(NEEDED.some(isMissing))(`adopt (skipped without ${NEEDED.join(" and ")})`, () => {
  it.for(oneIn(WALKED.length, WALKED))("%s", { timeout: LONGEST_MS }, async (name, { onTestFinished }) => {
    const scratch = await aScratchFolder();
    onTestFinished(() => rm(scratch, { recursive: true, force: true }));
    const chosen = paths.filter((path) => path.name === name);
    expect(chosen).toHaveLength(1);
    const packed = pack(scratch);
    const shared = {
      postgresUrl: inject("postgresUrl"),
      tarball: async () => (await packed).tarball,
      consoleTarball: async () => (await packConsole(scratch)).tarball,
    };
    for (const path of chosen) {
      const { passed, failures } = await walk(path, shared, () => undefined);
      expect(failures).toEqual([]);
      expect(passed).toBeGreaterThan(5);
    }
  });
});
