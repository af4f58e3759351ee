import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { canHaveHelm, type Helm, helmIn } from "../../lib/testing/processes/helm";
import { findPrometheus } from "../test/prometheus";
import { ROOT } from "./children";

/* What compose.observability.yaml, the collector's configuration and Grafana's provisioning say to each other and to compose.yaml. */

const read = (file: string) => readFileSync(path.join(ROOT, "deploy", file), "utf8");
const endpoint = z.string().regex(/^(0\.0\.0\.0:\d+|\$\{env:\w+\})$/);
const seconds = z.string().regex(/^\d+m?s$/);
const otlphttp = z.strictObject({
  endpoint,
  headers: z.record(z.string(), z.string()).optional(),
  retry_on_failure: z.strictObject({ enabled: z.boolean(), max_elapsed_time: seconds.optional() }).optional(),
  sending_queue: z.strictObject({ enabled: z.boolean(), queue_size: z.int() }).optional(),
});
/** As the references of these components have it; a field that they do not have stops a collector at its start. */
const collector = z.strictObject({
  receivers: z.strictObject({
    otlp: z.strictObject({
      protocols: z.strictObject({ grpc: z.strictObject({ endpoint }), http: z.strictObject({ endpoint }) }),
    }),
  }),
  processors: z.strictObject({
    memory_limiter: z.strictObject({ check_interval: seconds, limit_mib: z.int(), spike_limit_mib: z.int() }),
    batch: z.strictObject({ timeout: seconds, send_batch_size: z.int(), send_batch_max_size: z.int() }),
  }),
  exporters: z.record(z.string().regex(/^otlphttp\/\w+$/), otlphttp),
  service: z.strictObject({
    pipelines: z.record(
      z.enum(["traces"]),
      z.strictObject({
        receivers: z.array(z.string()),
        processors: z.array(z.string()),
        exporters: z.array(z.string()),
      }),
    ),
  }),
});

describe.skipIf(!canHaveHelm)("compose with observability (skipped but on Linux with x64)", () => {
  let folder: string;
  let kit: Helm;
  // biome-ignore lint/suspicious/noExplicitAny: as it is written, whatever that is
  const document = (file: string) => kit.documents(read(file))[0] as any;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "handrail-kit-"));
    kit = await helmIn(folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the collector's configuration has what its components know, and uses all that it declares", () => {
    const config = collector.parse(document("observability/otel-collector.yaml"));
    const { traces } = config.service.pipelines;
    expect(traces.receivers).toEqual(Object.keys(config.receivers));
    expect(traces.processors).toEqual(Object.keys(config.processors));
    expect(traces.exporters).toEqual(Object.keys(config.exporters));
    const { batch, memory_limiter: memory } = config.processors;
    expect(batch.send_batch_max_size).toBeGreaterThanOrEqual(batch.send_batch_size);
    expect(memory.spike_limit_mib).toBeLessThan(memory.limit_mib);
  });

  it("each service finds what it mounts, whom it asks, and the variables that its configuration takes", () => {
    const { services, volumes } = document("compose.observability.yaml");
    const base = document("compose.yaml");
    const others = { ...base.services, ...services };
    for (const [name, { volumes: mounts = [], depends_on = [], image = "" }] of Object.entries<{
      volumes?: string[];
      depends_on?: string[];
      image?: string;
    }>(services)) {
      for (const mount of mounts) {
        const [from = ""] = mount.split(":");
        const there = from.startsWith(".") ? existsSync(path.join(ROOT, "deploy", from)) : from in volumes;
        expect(there, `${name}: ${mount}`).toBe(true);
      }
      expect(depends_on.filter((other) => !(other in others))).toEqual([]);
      if (!(name in base.services)) expect(image).toMatch(/^docker\.io\/.+:v?\d+\.\d+\.\d+$/);
    }
    const { environment } = services.collector;
    const asked = [...read("observability/otel-collector.yaml").matchAll(/^[^#\n]*\$\{env:(\w+)\}/gm)].map(
      ([, name]) => name,
    );
    expect(Object.keys(environment).sort()).toEqual([...new Set(asked)].sort());
    expect(environment.HANDRAIL_OTLP_TOKEN).toBe(services.console.environment.HANDRAIL_OTLP_TOKEN);
    for (const address of [environment.HANDRAIL_OTLP_ENDPOINT, environment.TRACES_ENDPOINT])
      expect(Object.keys(others)).toContain(new URL(address).hostname);
    for (const { url } of document("observability/grafana/datasources.yml").datasources)
      expect(Object.keys(services)).toContain(new URL(url).hostname);
    const [provider] = document("observability/grafana/dashboards.yml").providers;
    expect(services.grafana.volumes.join()).toContain(`dashboard.json:${provider.options.path}/dashboard.json`);
  });

  it.skipIf(!findPrometheus())("Prometheus takes what its command makes of the kit", () => {
    const { services } = document("compose.observability.yaml");
    const [, script] = [services.prometheus.entrypoint, services.prometheus.command[0] as string];
    const here = script
      .replaceAll("$$", "$")
      .replaceAll("/tmp", folder)
      .replaceAll("/etc/handrail", path.join(ROOT, "deploy/observability"))
      .replace(/^exec prometheus.*$/m, `exec ${findPrometheus()}/promtool check config prometheus.yml`);
    const said = execFileSync("/bin/sh", ["-euc", here], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HANDRAIL_METRICS_TOKEN: "secret" } as unknown as NodeJS.ProcessEnv,
    });
    expect(said).toContain("SUCCESS");
    expect(readFileSync(path.join(folder, "token"), "utf8")).toBe("secret");
    expect(readFileSync(path.join(folder, "prometheus.yml"), "utf8")).toMatch(
      /targets: \["console:3000"\][\s\S]*dns_sd_configs:\n *- \{ names: \[worker\], type: A, port: 9464 \}\n/,
    );
    const base = document("compose.yaml").services.worker.environment;
    expect(base.HANDRAIL_WORKER_PORT).toBe(9464);
    // Otherwise it listens where its own container alone reaches it.
    expect(services.worker.environment.HANDRAIL_WORKER_HOST).toBe("0.0.0.0");
  });
});
