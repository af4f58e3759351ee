import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../lib/testing/until";
import { freePort } from "../../../scripts/ports";
import { ownFolder, type Place } from "./place";
import { Program } from "./program";

/** Members that a majority of three needs. */
const MAJORITY = 2;

/** Three members of etcd, in which Patroni keeps who leads. */
export class Etcd {
  private constructor(private readonly members: readonly { program: Program; client: string }[]) {}

  static async start(place: Place): Promise<Etcd> {
    const members = await Promise.all(
      [1, 2, 3].map(async (number) => ({
        name: `etcd${number}`,
        client: `http://127.0.0.1:${await freePort()}`,
        peer: `http://127.0.0.1:${await freePort()}`,
      })),
    );
    const all = members.map(({ name, peer }) => `${name}=${peer}`).join(",");
    const etcd = new Etcd(await Promise.all(members.map((member) => memberOf(place, member, all))));
    for (const { program } of etcd.members) program.start();
    await etcd.untilHealthy();
    return etcd;
  }

  /** As PATRONI_ETCD_HOSTS has them. */
  get hosts(): string {
    return this.members.map(({ client }) => `'${new URL(client).host}'`).join(",");
  }

  /** From now on nothing is written to etcd. */
  async loseMajority(): Promise<void> {
    await Promise.all(this.members.slice(0, MAJORITY).map(({ program }) => program.kill()));
  }

  /** Starts whatever does not run. */
  async heal(): Promise<void> {
    for (const { program } of this.members) if (program.pid === undefined) program.start();
    await this.untilHealthy();
  }

  async kill(): Promise<void> {
    await Promise.all(this.members.map(({ program }) => program.kill()));
  }

  private untilHealthy(): Promise<unknown> {
    return until("The health of etcd", async () => {
      await delay(100);
      const answers = await Promise.all(this.members.map(({ client }) => isHealthy(client)));
      return answers.every(Boolean);
    });
  }
}

async function memberOf(
  place: Place,
  { name, client, peer }: { name: string; client: string; peer: string },
  all: string,
): Promise<{ program: Program; client: string }> {
  const folder = await ownFolder(place, name);
  const program = new Program({
    command: [place.programs.etcd],
    env: {
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(folder, "data"),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: all,
      // Patroni 3.0 compares the holder when it renews a leader's key by this API alone: docs/high-availability.md.
      ETCD_ENABLE_V2: "true",
      // A busy machine must not look like a lost member.
      ETCD_HEARTBEAT_INTERVAL: "250",
      ETCD_ELECTION_TIMEOUT: "2500",
    },
    cwd: folder,
    user: place.user,
    log: join(place.folder, `${name}.log`),
  });
  return { program, client };
}

const isHealthy = (client: string): Promise<boolean> =>
  fetch(`${client}/health`, { signal: AbortSignal.timeout(2_000) })
    .then(async (answer) => ((await answer.json()) as { health: string }).health === "true")
    .catch(() => false);
