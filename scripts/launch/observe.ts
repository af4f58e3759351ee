import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { newSecret } from "../../lib/access/secret";
import type { Env } from "../../lib/env";
import { freePort, isFree } from "../ports";
import { StartError } from "../start-error";
import { ensurePrometheus, findPrometheus } from "../test/prometheus";
import type { Child } from "./child";
import { ROOT, startChild } from "./children";
import { keepRunning } from "./keep-running";
import type { Begin } from "./launch";
import { say } from "./say";

const KIT = path.join(ROOT, "deploy/observability");
/** Prometheus' own, if it is free. */
const USUAL_PORT = 9_090;
/** The demo's: its outage is minutes old. */
const SCRAPE = "5s";
const MOST_DATA = "256MB";

/** The folder of Prometheus' programs, before anything is begun. @throws StartError with what to do where there is none */
export async function prometheusFor({ dataDir }: Env): Promise<string> {
  const found = findPrometheus();
  if (found) return found;
  await mkdir(dataDir, { recursive: true });
  const scratch = await mkdtemp(path.join(dataDir, "prometheus-package-"));
  await ensurePrometheus(scratch).finally(() => rm(scratch, { recursive: true, force: true }));
  const unpacked = findPrometheus();
  if (unpacked) return unpacked;
  throw new StartError(
    "--observe needs Prometheus, and there is none on the PATH. Install it (`apt-get install prometheus`, `brew install prometheus`, " +
      "or https://prometheus.io/download), then start again; or start without --observe.",
  );
}

export interface Observation {
  /** What the console is to get. */
  settings: Record<string, string>;
  /** Starts Prometheus, and says where it is. */
  begin(begin: Begin): Promise<void>;
}

/** Prometheus with the configuration and the rules of deploy/observability, on this console and its worker. */
export async function observation(env: Env, programs: string): Promise<Observation> {
  const worker = env.workerPort ?? { port: await freePort(), host: "127.0.0.1" };
  const token = env.metricsToken ?? newSecret("hr_");
  return {
    settings: { HANDRAIL_METRICS_TOKEN: token, HANDRAIL_WORKER_PORT: String(worker.port) },
    begin: async (begin) => {
      const folder = path.join(env.dataDir, "prometheus");
      await configure(folder, { console: `127.0.0.1:${env.port}`, worker: `127.0.0.1:${worker.port}`, token });
      const port = (await isFree(USUAL_PORT)) ? USUAL_PORT : await freePort();
      begin(() => keepRunning(() => startPrometheus(programs, folder, port)));
      say(
        `Prometheus is at http://127.0.0.1:${port}/alerts. The dashboard for Grafana is deploy/observability/dashboard.json.`,
      );
    },
  };
}

interface Targets {
  console: string;
  worker: string;
  token: string;
}

async function configure(folder: string, { console, worker, token }: Targets): Promise<void> {
  await mkdir(folder, { recursive: true });
  const kit = await readFile(path.join(KIT, "prometheus.yml"), "utf8");
  if (!kit.includes("localhost:3000") || !kit.includes("localhost:9464"))
    throw new Error("prometheus.yml does not name a console at localhost:3000 and a worker at localhost:9464.");
  const config = kit
    .replaceAll("localhost:3000", console)
    .replaceAll("localhost:9464", worker)
    .replaceAll("15s", SCRAPE);
  await writeFile(path.join(folder, "prometheus.yml"), config);
  await writeFile(path.join(folder, "rules.yml"), await readFile(path.join(KIT, "rules.yml")));
  await writeFile(path.join(folder, "token"), token, { mode: 0o600 });
}

const startPrometheus = (programs: string, folder: string, port: number): Child =>
  startChild("Prometheus", {
    program: path.join(programs, "prometheus"),
    args: [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--storage.tsdb.retention.size=${MOST_DATA}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    env: {},
    cwd: folder,
    output: "errors",
  });
