import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureClusterPrograms, findClusterPrograms } from "../../../scripts/test/patroni";
import { openRig } from "../rig";
import { Cluster } from "./cluster";
import { STRIKES } from "./strikes";
import { HEADER, rowOf } from "./table";
import { type PatroniTrial, tryStrike } from "./trial";

interface PatroniOrder {
  seed: number;
  /** Strikes whose name or description has these words. */
  only: string;
  say: (line: string) => void;
}

/** Every strike, or some, at a cluster of Patroni, etcd and HAProxy that is started for it and gone afterwards. @returns the trials, violations and all */
export async function strikePatroni({ seed, only, say }: PatroniOrder): Promise<PatroniTrial[]> {
  const folder = await mkdtemp(join(tmpdir(), "handrail-patroni-"));
  await chmod(folder, 0o755); // as root, the programs run as another user, who has to get in
  await ensureClusterPrograms(folder);
  const programs = findClusterPrograms();
  if (!programs) throw new Error("This needs Debian's patroni, python3-etcd, etcd-server, haproxy and postgresql-15.");
  const cluster = await Cluster.start(folder, programs);
  const rig = await openRig(cluster.server);
  const trials: PatroniTrial[] = [];
  try {
    for (const line of HEADER) say(line);
    for (const strike of STRIKES.filter(({ name, how }) => `${name}: ${how}`.includes(only))) {
      const trial = await tryStrike(rig, cluster, strike, seed);
      trials.push(trial);
      say(rowOf(trial));
    }
  } finally {
    await rig.close();
    await cluster.kill();
    await rm(folder, { recursive: true, force: true });
  }
  return trials;
}
