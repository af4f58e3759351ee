import { rm } from "node:fs/promises";
import { expect, inject, it } from "vitest";
import { oneIn } from "../../../lib/testing/sample";
import { pack } from "../../../scripts/pack/pack";
import { aScratchFolder } from "../installed-app";
import { paths } from "./paths";
import { walk } from "./walk";

/** The paths of `npm run adopt` that take less than half a minute, one of them each time. */
const SHORT = ["fastify-kysely", "rolling", "uninstall"];
const LONGEST_MS = 240_000;

it.for(oneIn(SHORT.length, SHORT))("adopt %s", { timeout: LONGEST_MS }, async (name, { onTestFinished }) => {
  const scratch = await aScratchFolder();
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
  const chosen = paths.filter((path) => path.name === name);
  expect(chosen).toHaveLength(1);
  const shared = {
    postgresUrl: inject("postgresUrl"),
    tarball: async () => (await packed).tarball,
    consoleTarball: () => Promise.reject(new Error("A short path needs no console.")),
  };
  const packed = pack(scratch);
  for (const path of chosen) {
    const { passed, failures } = await walk(path, shared, () => undefined);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(5);
  }
});
