import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../scripts/ports";
import { killProcesses, processesOfServer, signalProcesses } from "../server-processes";
import { ownFolder, type Place } from "./place";
import { Program } from "./program";

/** As operators deploy it. */
const POLICY = fileURLToPath(new URL("../../../deploy/high-availability/patroni.yml", import.meta.url));
const ANSWER_MS = 1_500;

export interface Passwords {
  superuser: string;
  replication: string;
  handrail: string;
}

/** A member as Patroni sees it. */
export interface Member {
  name: string;
  role: "leader" | "sync_standby" | "replica";
  state: string;
  timeline?: number;
  lag?: number | "unknown";
}

interface NodeSetup {
  place: Place;
  name: string;
  etcdHosts: string;
  passwords: Passwords;
}

/** One machine of the cluster: a PostgreSQL server and its Patroni. */
export class Node {
  private constructor(
    readonly name: string,
    readonly port: number,
    readonly restPort: number,
    private readonly data: string,
    private readonly patroni: Program,
  ) {}

  static async prepare({ place, name, etcdHosts, passwords }: NodeSetup): Promise<Node> {
    const folder = await ownFolder(place, name);
    const [port, restPort] = [await freePort(), await freePort()];
    const data = join(folder, "data");
    const patroni = new Program({
      command: [place.programs.patroni, POLICY],
      env: {
        PATRONI_NAME: name,
        PATRONI_ETCD_HOSTS: etcdHosts,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: place.programs.postgres,
        PATRONI_POSTGRESQL_PGPASS: join(folder, "pgpass"),
        PATRONI_SUPERUSER_USERNAME: "postgres",
        PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
        PATRONI_REPLICATION_USERNAME: "replicator",
        PATRONI_REPLICATION_PASSWORD: passwords.replication,
        PATRONI_handrail_PASSWORD: passwords.handrail,
        PATRONI_handrail_OPTIONS: "createdb",
      },
      cwd: folder,
      user: place.user,
      log: join(place.folder, `${name}.log`),
    });
    return new Node(name, port, restPort, data, patroni);
  }

  start(): void {
    this.patroni.start();
  }

  /** Every process dies at once, as with its machine. */
  async kill(): Promise<void> {
    await killProcesses(await this.processes());
    // A backend may have been born meanwhile.
    await killProcesses(await this.processes());
  }

  /** Every process stops, and no connection ends: a machine that hangs. */
  async freeze(): Promise<void> {
    signalProcesses(await this.processes(), "SIGSTOP");
  }

  async thaw(): Promise<void> {
    signalProcesses(await this.processes(), "SIGCONT");
  }

  /** Whether Patroni calls it the leader, as HAProxy asks. */
  async leads(): Promise<boolean> {
    return (await this.ask("/primary"))?.status === 200;
  }

  /** The cluster as its Patroni sees it; undefined without an answer. */
  async members(): Promise<Member[] | undefined> {
    const answer = await this.ask("/cluster");
    return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : undefined;
  }

  ask(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(init.method ? 60_000 : ANSWER_MS);
    return fetch(`http://127.0.0.1:${this.restPort}${path}`, { signal, ...init }).catch(() => undefined);
  }

  private async processes(): Promise<number[]> {
    const { pid } = this.patroni;
    return [...(pid === undefined ? [] : [pid]), ...(await processesOfServer(this.data))];
  }
}
