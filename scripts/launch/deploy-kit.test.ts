import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEPLOYED, IMAGE_ENV, UNIT_ENV } from "../../lib/testing/processes/deploy-kit";
import { canHaveHelm, type Helm, helmIn } from "../../lib/testing/processes/helm";
import { ROOT } from "./children";

/*
 * What the files of deploy/ say to each other, to the image and to the settings: rendered by Helm, read as YAML, verified by
 * systemd. scripts/launch/production.crash.test.ts runs their commands.
 */

const CHART = path.join(ROOT, "deploy/helm/handrail");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const dockerfile = read("deploy/Dockerfile");
const settings = read("docs/settings.md");
const READY = "/api/health/ready";
const PORT = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);
const USER = Number(/^USER (\d+):\d+$/m.exec(dockerfile)?.[1]);

/** Of frameworks and of Node, beside our settings. */
const NOT_OURS = ["NODE_ENV", "NEXT_TELEMETRY_DISABLED", "NEXT_MANUAL_SIG_HANDLE"];
const unknownSettings = (names: readonly string[]) =>
  names.filter((name) => !NOT_OURS.includes(name) && !settings.includes(`\`${name}\``));

describe("the image", () => {
  it("copies what is there, serves at the port that it exposes, and has settings that exist", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
      files.split(" "),
    );
    expect(copied).toContain("package-lock.json");
    expect(copied.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    const served = [...dockerfile.matchAll(/^COPY --from=\w+ \/app\/(\S+) (\S+)$/gm)];
    expect(served.map(([, from, to]) => [from, to])).toEqual([
      ["node_modules", "node_modules"],
      [".next", ".next"],
      ["lib/generated", "lib/generated"],
    ]);
    // What the context leaves out, as it is on the machine that builds.
    const ignored = read(".dockerignore").split("\n");
    for (const [, , to = ""] of served) expect(ignored).toContain(to);
    expect(DEPLOYED.console[0].at(-1)).toBe(String(PORT));
    expect(USER).toBeGreaterThan(0);
    expect(unknownSettings(Object.keys(IMAGE_ENV))).toEqual([]);
    expect(IMAGE_ENV.HANDRAIL_DATA).toMatch(/^\/tmp\//); // what can be written where all else is read-only
  });
});

describe("the console's unit of systemd", () => {
  it("has the image's settings, but for where its files and its port are", () => {
    const { HOST = "", HANDRAIL_DATA = "" } = IMAGE_ENV;
    expect({ ...UNIT_ENV, HOST, HANDRAIL_DATA }).toEqual(IMAGE_ENV);
    expect(UNIT_ENV.HANDRAIL_SIGN_IN).toBe("on");
  });
});

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd (skipped without it)", () => {
  it("finds nothing to report in the units", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "handrail-units-"));
    cpSync(path.join(ROOT, "deploy/systemd"), folder, { recursive: true });
    const units = ["handrail-console.service", "handrail-migrate.service", "handrail-worker@1.service"];
    cpSync(path.join(folder, "handrail-worker@.service"), path.join(folder, "handrail-worker@1.service"));
    const verified = spawnSync("systemd-analyze", ["verify", ...units.map((unit) => path.join(folder, unit))], {
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    const ours = verified.stderr.split("\n").filter((line) => line.includes("handrail"));
    expect(ours.filter((line) => !line.includes("/usr/bin/node is not executable"))).toEqual([]);
  });
});

describe.skipIf(!canHaveHelm)("compose and Helm (skipped but on Linux with x64)", () => {
  let folder: string;
  let kit: Helm;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "handrail-helm-"));
    kit = await helmIn(folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("compose runs the image's commands in order, with settings that exist", async () => {
    const text = read("deploy/compose.yaml");
    // biome-ignore lint/suspicious/noExplicitAny: as it is written, whatever that is
    const { services, volumes } = kit.documents(text)[0] as any;
    const { postgres, migrate, console, worker } = services;
    expect(Object.keys(services)).toEqual(["postgres", "migrate", "console", "worker"]);
    expect([migrate.command, console.command, worker.command]).toEqual([
      DEPLOYED.migrate[0],
      undefined,
      DEPLOYED.worker[0],
    ]);
    for (const { build, read_only, tmpfs, cap_drop, environment } of [migrate, console, worker]) {
      expect(existsSync(path.resolve(ROOT, "deploy", build.context, build.dockerfile))).toBe(true);
      expect({ read_only, tmpfs, cap_drop }).toEqual({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"] });
      expect(unknownSettings(Object.keys(environment))).toEqual([]);
      const url = new URL(environment.DATABASE_URL.replace(/\$\{.*?\}/, "secret"));
      expect(url.hostname).toBe("postgres");
      expect([url.username, url.pathname.slice(1)]).toEqual([
        postgres.environment.POSTGRES_USER,
        postgres.environment.POSTGRES_DB,
      ]);
    }
    expect(migrate).toMatchObject({ restart: "no", depends_on: { postgres: { condition: "service_healthy" } } });
    expect(postgres.healthcheck.test.join(" ")).toBe("CMD pg_isready -U handrail -d handrail");
    expect(Object.keys(volumes)).toEqual([postgres.volumes[0].split(":")[0]]);
    for (const { depends_on } of [console, worker])
      expect(depends_on).toEqual({ migrate: { condition: "service_completed_successfully" } });
    expect(console.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`]);
    expect(console.environment.HANDRAIL_ORIGIN).toBe(`\${HANDRAIL_ORIGIN:-http://localhost:${PORT}}`);
    expect(Number.parseInt(worker.stop_grace_period, 10)).toBeGreaterThan(10); // steps in flight have ten seconds
    const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name as string);
    for (const page of [text.split("\nname:")[0], read("docs/deploying.md")])
      for (const name of new Set(asked)) expect(page).toContain(name);
    await probes(console.healthcheck.test);
    await probes(worker.healthcheck.test);
    expect(worker.healthcheck.test.join(" ")).toContain(`:${worker.environment.HANDRAIL_WORKER_PORT}/`);
  });

  it("with high availability, HAProxy takes the place of the server, and leads to nodes that know each other", async () => {
    const folder = "deploy/high-availability";
    // biome-ignore lint/suspicious/noExplicitAny: as it is written, whatever that is
    const { services, volumes } = kit.documents(read("deploy/compose.high-availability.yaml"))[0] as any;
    const { postgres, worker, ...parts } = services;
    expect(worker).toEqual({ environment: { HANDRAIL_LEASE_MS: "60000" } });
    expect(read("docs/high-availability.md")).toContain("`HANDRAIL_LEASE_MS=60000`");
    const members = Object.keys(parts).filter((name) => name.startsWith("etcd"));
    const nodes = Object.keys(parts).filter((name) => name.startsWith("node"));
    expect([members, nodes]).toEqual([
      ["etcd1", "etcd2", "etcd3"],
      ["node1", "node2", "node3"],
    ]);
    expect(Object.keys(volumes)).toEqual([...members, ...nodes]);
    const asked = [...read(`${folder}/haproxy.cfg`).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(postgres.environment)).toEqual(asked);
    expect(postgres.environment.HAPROXY_LISTEN).toBe("0.0.0.0:5432");
    for (const [index, name] of nodes.entries()) {
      const { environment, command, volumes: own } = parts[name];
      const port = postgres.environment[`NODE${index + 1}_PATRONI_PORT`];
      expect(environment).toMatchObject({
        PATRONI_NAME: name,
        PATRONI_ETCD_HOSTS: members.map((member) => `'${member}:2379'`).join(","),
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres.environment[`NODE${index + 1}_POSTGRES`],
      });
      expect([command, own]).toEqual([["patroni", "/etc/handrail/patroni.yml"], [`${name}:/data`]]);
    }
    for (const name of members) {
      const { environment, command, volumes: own } = parts[name];
      expect(environment.ETCD_INITIAL_CLUSTER.split(",")).toContain(
        `${name}=${environment.ETCD_INITIAL_ADVERTISE_PEER_URLS}`,
      );
      expect(environment).toMatchObject({ ETCD_NAME: name, ETCD_ENABLE_V2: "true" });
      expect([command, own]).toEqual([["etcd"], [`${name}:/data`]]);
    }
    const image = read(`${folder}/Dockerfile`);
    for (const part of [postgres, ...Object.values<{ build: string; command: string[] }>(parts)]) {
      expect(existsSync(path.join(ROOT, "deploy", part.build, "Dockerfile"))).toBe(true);
      expect(image).toMatch(new RegExp(`install -y .*\\b${part.command[0]}`));
    }
  });

  it("the chart passes lint, and each of its values changes what it makes", async () => {
    expect(await kit.helm("lint", "--strict", CHART)).toContain("0 chart(s) failed");
    const made = await kit.helm("template", "shop", CHART);
    const [values] = kit.documents(read("deploy/helm/handrail/values.yaml"));
    const leaves = leavesOf(values as object);
    expect(leaves).toContain("worker.terminationGracePeriodSeconds");
    const other = await Promise.all(
      leaves.map(async (leaf) =>
        (await kit.helm("template", "shop", CHART, "--set", `${leaf}=77`)) === made ? [leaf] : [],
      ),
    );
    expect(other.flat()).toEqual([]);
  });

  it("what the chart makes runs the image's commands, and its parts find each other", async () => {
    const made = await kit.helm("template", "shop", CHART, "--set", "image.tag=7,env.HANDRAIL_LEASE_MS=5000");
    // biome-ignore lint/suspicious/noExplicitAny: as it is written, whatever that is
    const documents = kit.documents(made) as any[];
    const of = (kind: string, part: string) => {
      const found = documents.filter((one) => one.kind === kind && one.metadata.name === `shop-${part}`);
      expect(found, `${kind} ${part}`).toHaveLength(1);
      return found[0];
    };
    expect(documents).toHaveLength(6);
    const commands = { migrate: DEPLOYED.migrate[1], console: undefined, worker: DEPLOYED.worker[1] };
    for (const [part, args] of Object.entries(commands)) {
      const { spec, metadata } = of(part === "migrate" ? "Job" : "Deployment", part);
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect(container).toMatchObject({ image: "handrail:7", securityContext: { readOnlyRootFilesystem: true } });
      expect(container.args).toEqual(args);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: USER });
      expect(container.volumeMounts).toEqual([{ name: pod.volumes[0].name, mountPath: "/tmp" }]);
      expect(container.envFrom).toEqual([{ secretRef: { name: "handrail" } }]);
      const names = container.env.map(({ name }: { name: string }) => name);
      expect(names).toEqual(["HANDRAIL_ORIGIN", "HANDRAIL_LEASE_MS"]);
      expect(unknownSettings(names)).toEqual([]);
      if (part === "migrate") expect(metadata.annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
      else
        for (const selector of [spec.selector, of("PodDisruptionBudget", part).spec.selector])
          expect(spec.template.metadata.labels).toMatchObject(selector.matchLabels);
    }
    const { spec } = of("Deployment", "console");
    const [container] = spec.template.spec.containers;
    const service = of("Service", "console").spec;
    expect(spec.template.metadata.labels).toMatchObject(service.selector);
    expect(container.ports).toEqual([{ name: service.ports[0].targetPort, containerPort: PORT }]);
    for (const probe of [container.readinessProbe, container.livenessProbe])
      expect(probe.httpGet).toMatchObject({
        port: service.ports[0].targetPort,
        path: expect.stringMatching(/^\/api\/health\//),
      });
    expect(container.readinessProbe.httpGet.path).toBe(READY);
    const { terminationGracePeriodSeconds } = of("Deployment", "worker").spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it("workers with a port have probes on it, and a PodMonitor that the rules of deploy/observability know", async () => {
    const made = await kit.helm("template", "shop", CHART, "--set", "worker.port=9464,worker.podMonitor=true");
    // biome-ignore lint/suspicious/noExplicitAny: as it is written, whatever that is
    const documents = kit.documents(made) as any[];
    const { template } = documents.find(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === "shop-worker",
    ).spec;
    const [container] = template.spec.containers;
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["HANDRAIL_ORIGIN", "HANDRAIL_WORKER_PORT", "HANDRAIL_WORKER_HOST"]);
    expect(unknownSettings(names)).toEqual([]);
    expect(container.ports).toEqual([{ name: "metrics", containerPort: 9464 }]);
    expect(container.readinessProbe.httpGet).toEqual({ path: READY, port: "metrics" });
    expect(container.livenessProbe.httpGet).toEqual({ path: "/api/health/live", port: "metrics" });
    const { spec } = documents.find(({ kind }) => kind === "PodMonitor");
    expect(template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const [{ port, path: at, authorization, relabelings }] = spec.podMetricsEndpoints;
    expect([port, at, authorization.credentials.key]).toEqual(["metrics", "/metrics", "HANDRAIL_METRICS_TOKEN"]);
    expect(read("deploy/observability/prometheus.yml")).toContain(`job_name: ${relabelings[0].replacement}`);
  });
});

/** Where each value is, such as `console.resources.limits.memory`. An empty object is a place for more. */
function leavesOf(values: object, before = ""): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null) return [`${before}${name}`];
    return Object.keys(value).length === 0 ? [`${before}${name}.MORE`] : leavesOf(value, `${before}${name}.`);
  });
}

/** A health check of compose is code: it is run against a process that is ready, and one that is not. */
async function probes([, program, ...words]: string[]): Promise<void> {
  let isReady = true;
  const server = createServer(({ url }, response) => {
    response.writeHead(isReady && url === READY ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const here = words.map((word) => word.replace(/:\d+\//, `:${(server.address() as AddressInfo).port}/`));
  expect(here).not.toEqual(words);
  expect(program).toBe("node");
  const ended = () =>
    promisify(execFile)(process.execPath, here).then(
      () => 0,
      ({ code }) => code,
    );
  expect(await ended()).toBe(0);
  isReady = false;
  expect(await ended()).toBe(1);
  server.close().closeAllConnections();
  expect(await ended()).toBe(1);
}
