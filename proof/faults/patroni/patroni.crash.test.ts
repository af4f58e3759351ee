import { expect, it } from "vitest";
import { findClusterPrograms } from "../../../scripts/test/patroni";
import { violationLines } from "../report";
import { strikePatroni } from "./main";

/** One strike of `npm run faults -- patroni`. */
it.skipIf(!findClusterPrograms())(
  "a leader of Patroni that is killed costs nothing that was acknowledged (skipped without Patroni, etcd and HAProxy)",
  async () => {
    const trials = await strikePatroni({ seed: Date.now() % 1_000_000, only: "leader killed: ", say: () => undefined });
    const [trial] = trials;
    expect(trials).toHaveLength(1);
    if (trial?.violations.length) throw new Error(violationLines(trial).join("\n"));
    expect(trial).toMatchObject({ struck: 1, lostClaims: 0 });
  },
);
