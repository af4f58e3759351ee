import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart } from "../../lib/engine/runs/start";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { poolDb } from "../../lib/store/db";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { anApiWithSignIn } from "../../lib/testing/api/with-sign-in";
import { endedRuns } from "../../lib/testing/rows/ended-runs";
import { until } from "../../lib/testing/until";
import { countAll } from "../../lib/worker/duties/rollup-loop";
import { freePort } from "../../scripts/ports";
import { findPrometheus } from "../../scripts/test/prometheus";

const KIT = fileURLToPath(new URL("../../deploy/observability", import.meta.url));
const programs = findPrometheus();
/** Of console and worker. */
const TOKEN = "5f0c9ab1e7d24f6083b1c2d3e4f5a6978877665544332211";

/** As proof/observability/worker.ts has it. */
const ORDERS = defineWorkflow({ name: "orders", version: 7, input: z.object({}) }, async () => undefined);

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const panels = (JSON.parse(readFileSync(join(KIT, "dashboard.json"), "utf8")) as { panels: Panel[] }).panels;
/** As Grafana fills it in. */
const query = (expr: string) => expr.replaceAll("$workflow", ".*").replaceAll("$__rate_interval", "5s");

it("every alert has its section in the runbooks", () => {
  const rules = readFileSync(join(KIT, "rules.yml"), "utf8");
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string);
  const linked = [...rules.matchAll(/runbook: docs\/signals\/runbooks\.md#(\w+)/g)].map(([, anchor]) => anchor);
  expect(linked).toEqual(alerts.map((name) => name.toLowerCase()));
  const sections = [...readFileSync("docs/signals/runbooks.md", "utf8").matchAll(/^## (\w+)$/gm)].map(
    ([, name]) => name,
  );
  expect(sections).toEqual(alerts);
});

describe.skipIf(!programs)("Prometheus, with the kit as it is", () => {
  it("finds nothing wrong with the rules, and each alert comes and goes as they are tested", () => {
    const promtool = (...args: string[]) =>
      execFileSync(join(programs as string, "promtool"), args, { cwd: KIT, encoding: "utf8" });
    expect(promtool("check", "rules", "rules.yml")).toContain("SUCCESS");
    expect(promtool("test", "rules", "rules.test.yml")).toContain("SUCCESS");
  });

  let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
  let web: Server;
  let folder: string;
  let address: string;
  let prometheus: ReturnType<typeof spawn>;
  let workerPort: number;
  let worker: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    api = await anApiWithSignIn({ HANDRAIL_METRICS_TOKEN: TOKEN });
    await api.database.pool.query(
      "insert into handrail.workflow (name, version, title) values ('orders', 7, 'Orders')",
    );
    web = createServer((request, response) => {
      const headers = { authorization: request.headers.authorization ?? "" };
      void api.send("GET", "/v1/metrics", { headers }).then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(await answer.text());
      });
    }).listen(0, "127.0.0.1");
    await once(web, "listening");
    folder = mkdtempSync(join(tmpdir(), "handrail-prometheus-"));
    const port = await freePort();
    workerPort = await freePort();
    address = `http://127.0.0.1:${port}`;
    const config = readFileSync(join(KIT, "prometheus.yml"), "utf8")
      .replaceAll("15s", "1s")
      .replace("localhost:3000", `127.0.0.1:${(web.address() as AddressInfo).port}`)
      .replace('["localhost:9464"]', `["127.0.0.1:${workerPort}"]`);
    writeFileSync(join(folder, "prometheus.yml"), config);
    writeFileSync(join(folder, "rules.yml"), readFileSync(join(KIT, "rules.yml")));
    writeFileSync(join(folder, "token"), TOKEN);
    prometheus = spawn(
      join(programs as string, "prometheus"),
      [
        "--config.file=prometheus.yml",
        "--storage.tsdb.path=data",
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=error",
      ],
      { cwd: folder, stdio: "ignore" },
    );
    await until("Prometheus has scraped once", async () => (await values('up{job="handrail"}'))[0] === 1);
  });
  afterAll(async () => {
    worker?.kill("SIGKILL");
    prometheus.kill("SIGKILL");
    await once(prometheus, "exit");
    web.close();
    rmSync(folder, { recursive: true });
    await api.close();
  });

  const ask = async (path: string) => {
    const response = await fetch(`${address}/api/v1/${path}`).catch(() => null);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server said
    return response?.ok ? ((await response.json()) as any).data : null;
  };
  const values = async (expr: string): Promise<number[]> => {
    const data = await ask(`query?query=${encodeURIComponent(expr)}`);
    return (data?.result ?? []).map(({ value }: { value: [number, string] }) => Number(value[1]));
  };

  it("sees an outage: the failure ratio, and who needs a person", async () => {
    const { pool } = api.database;
    await endedRuns(pool, { workflow: "orders", version: 7, status: "completed", count: 1 });
    await countAll(poolDb(pool), () => false);
    await until(
      "the first count",
      async () => (await values('handrail_runs_ended_total{outcome="completed"}'))[0] === 1,
    );
    await endedRuns(pool, { workflow: "orders", version: 7, status: "failed", count: 30 });
    await countAll(poolDb(pool), () => false);
    await until("the failures", async () => (await values('handrail_attention_runs{attention="failed"}'))[0] === 30);
    const [failing] = panels.filter(({ title }) => title === "Failure ratio").flatMap(({ targets }) => targets);
    await until("the ratio", async () => ((await values(query((failing as { expr: string }).expr)))[0] ?? 0) > 0.9);
    await until("two alerts are pending", async () => {
      const alerts: { labels: { alertname: string } }[] = (await ask("alerts"))?.alerts ?? [];
      const names = alerts.map(({ labels }) => labels.alertname);
      return names.includes("HandrailFailing") && names.includes("HandrailNoWorker");
    });
  });

  it("sees a worker begin, by its own port, and then what it does, kill -9 included", async () => {
    worker = spawn(process.execPath, ["--import", "tsx", "proof/observability/worker.ts"], {
      env: {
        ...process.env,
        ...{ DATABASE_URL: api.database.url, HANDRAIL_METRICS_TOKEN: TOKEN, HANDRAIL_WORKER_PORT: String(workerPort) },
        ...{ HANDRAIL_CONCURRENCY: "9", HANDRAIL_LOG: "error" },
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await until("the worker is scraped", async () => (await values('up{job="handrail-worker"}'))[0] === 1);
    expect(await values("handrail_worker_process_slots")).toEqual([9]);
    const db = poolDb(api.database.pool);
    for (let n = 0; n < 20; n++) await insertRunOnce(db, await prepareStart(ORDERS, {}, {}));
    const attempts = (outcome: string) =>
      values(`handrail_worker_attempts_total{outcome="${outcome}",attempt=~"[12]"} > 0`);
    await until("its attempts", async () => (await attempts("completed"))[0] === 20);
    expect(await attempts("retry")).toEqual([20]);
    await until("a rate of commits", async () => ((await values(query(commits as string)))[0] ?? 0) > 0);
    const ratio = "handrail_worker_lease_age_seconds / handrail_worker_lease_seconds";
    expect((await values(ratio))[0]).toBeLessThan(0.5);
  });
  const [commits] = panels
    .filter(({ title }) => title.startsWith("Time to commit"))
    .map(({ targets }) => targets[1]?.expr ?? "");

  it("answers each query of the dashboard", async () => {
    const silent: string[] = [];
    for (const { title, targets } of panels)
      for (const { expr } of targets) if ((await values(query(expr))).length === 0) silent.push(title);
    expect(silent).toEqual([]);
  });

  it("sees that the worker is gone", async () => {
    worker?.kill("SIGKILL");
    await until("it does not answer", async () => (await values('up{job="handrail-worker"}'))[0] === 0);
    await until("its alert is pending", async () => {
      const alerts: { labels: { alertname: string } }[] = (await ask("alerts"))?.alerts ?? [];
      return alerts.some(({ labels }) => labels.alertname === "HandrailWorkerDown");
    });
  });
});
