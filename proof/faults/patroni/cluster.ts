import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migrate } from "../../../lib/store/migrations/migrate";
import { until } from "../../../lib/testing/until";
import { freePort } from "../../../scripts/ports";
import { migrateDemo } from "../../../scripts/postgres/migrate-demo";
import { serverUser } from "../../../scripts/postgres/server-user";
import type { ClusterPrograms } from "../../../scripts/test/patroni";
import type { Postgres } from "../rig";
import { Etcd } from "./etcd";
import { Node } from "./node";
import type { Place } from "./place";
import { Program } from "./program";

/** As operators deploy it. */
const HAPROXY = fileURLToPath(new URL("../../../deploy/high-availability/haproxy.cfg", import.meta.url));
const TEMPLATE = "patroni_template";
/** Copying a node anew included, on a busy machine. */
const LONGEST_HEALING_MS = 180_000;
const NAMES = ["node1", "node2", "node3"];

/** PostgreSQL on three nodes with Patroni, etcd and HAProxy, as docs/high-availability.md sets it up, on loopback. */
export class Cluster {
  private constructor(
    /** Through HAProxy, as Handrail has it. */
    readonly server: Postgres,
    readonly etcd: Etcd,
    readonly nodes: readonly Node[],
    private readonly haproxy: Program,
  ) {}

  /** About half a minute. `folder` is for its user to get into. */
  static async start(folder: string, programs: ClusterPrograms): Promise<Cluster> {
    const place: Place = { folder, programs, user: serverUser("/nonexistent") };
    const word = () => randomBytes(12).toString("hex");
    const passwords = { superuser: word(), replication: word(), handrail: word() };
    const etcd = await Etcd.start(place);
    const nodes = await Promise.all(
      NAMES.map((name) => Node.prepare({ place, name, etcdHosts: etcd.hosts, passwords })),
    );
    const port = await freePort();
    const url = `postgresql://handrail:${passwords.handrail}@127.0.0.1:${port}/postgres`;
    const haproxy = balancer(place, port, nodes);
    const cluster = new Cluster({ url, template: TEMPLATE }, etcd, nodes, haproxy);
    try {
      for (const node of nodes) node.start();
      haproxy.start();
      await cluster.untilHealthy();
      const template = Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href;
      await until("HAProxy's way to the leader", () =>
        migrate(template).then(
          () => true,
          () => delay(200, false),
        ),
      );
      await migrateDemo(template);
    } catch (error) {
      await cluster.kill();
      throw error;
    }
    return cluster;
  }

  /** The node that its own Patroni calls the leader; undefined if none does. */
  async leader(): Promise<Node | undefined> {
    const leads = await Promise.all(this.nodes.map((node) => node.leads()));
    return this.nodes[leads.indexOf(true)];
  }

  /** The node of this role, as the leader sees it. */
  async nodeOf(role: "sync_standby" | "replica"): Promise<Node | undefined> {
    const members = await (await this.leader())?.members();
    const found = members?.find((member) => member.role === role);
    return this.nodes.find(({ name }) => name === found?.name);
  }

  /** A leader, a standby for which commits wait and another, which all run and have everything. */
  async untilHealthy(): Promise<void> {
    await until(
      "The health of the cluster",
      async () => (await this.isHealthy()) || delay(200, false),
      LONGEST_HEALING_MS,
    );
  }

  private async isHealthy(): Promise<boolean> {
    const members = (await (await this.leader())?.members()) ?? [];
    const [first] = members;
    return (
      members
        .map(({ role }) => role)
        .sort()
        .join() === "leader,replica,sync_standby" &&
      members.every(({ state, timeline, lag = 0 }) => isRunning(state) && timeline === first?.timeline && lag === 0)
    );
  }

  /** Ends everything at once; the data stay. */
  async kill(): Promise<void> {
    await this.haproxy.kill();
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.etcd.kill();
  }
}

/** Newer versions of Patroni call a standby's state by what it does. */
const isRunning = (state: string) => state === "running" || state === "streaming";

function balancer(place: Place, port: number, nodes: readonly Node[]): Program {
  const addresses = nodes.map((node, index) => ({
    [`NODE${index + 1}_POSTGRES`]: `127.0.0.1:${node.port}`,
    [`NODE${index + 1}_PATRONI_PORT`]: `${node.restPort}`,
  }));
  return new Program({
    command: [place.programs.haproxy, "-db", "-f", HAPROXY],
    env: Object.assign(
      { HAPROXY_LISTEN: `127.0.0.1:${port}`, LD_LIBRARY_PATH: place.programs.libraries },
      ...addresses,
    ),
    cwd: place.folder,
    user: place.user,
    log: join(place.folder, "haproxy.log"),
  });
}
