import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import * as restate from "@restatedev/restate-sdk";
import { connect, rpc } from "@restatedev/restate-sdk-clients";
import { family, inFlight, steps } from "./work.mjs";

/*
 * Not on Postgres: a log server of its own, whose binary npm brings. One node as its defaults have it, telemetry off. It pushes
 * work to the service, so runs go on while others are being started.
 */

// Its SDK asks for Node 22.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
const SERVICE = 9_080;
const INGRESS = 8_080;
const ADMIN = 9_070;

const one = restate.service({
  name: "steps",
  handlers: { run: (ctx, { count }) => steps(count, (name, body) => ctx.run(name, body)) },
});
const services = {
  steps: one,
  family: restate.service({
    name: "family",
    handlers: { run: (ctx, { count }) => family(count, () => ctx.serviceClient(one).run({ count: 1 })) },
  }),
};

export async function open() {
  const ingress = connect({ url: `http://127.0.0.1:${INGRESS}` });
  const started = [];
  return {
    kinds: Object.keys(services),
    async prepare() {
      const folder = mkdtempSync(path.join(tmpdir(), "restate-"));
      const require = createRequire(import.meta.url);
      const binary = require.resolve("@restatedev/restate-server-linux-x64/bin/restate-server");
      const server = spawn(binary, ["--base-dir", folder, "--node-name", "bench"], {
        stdio: "ignore",
        env: { ...process.env, DO_NOT_TRACK: "1", RUST_LOG: "error" },
      });
      process.on("exit", () => server.kill("SIGKILL"));
      await until(() => fetch(`http://127.0.0.1:${ADMIN}/health`));
      return { server: server.pid };
    },
    async work() {
      await restate.serve({ services: Object.values(services), port: SERVICE });
      await until(() =>
        fetch(`http://127.0.0.1:${ADMIN}/deployments`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ uri: `http://127.0.0.1:${SERVICE}`, force: true }),
        }),
      );
    },
    async enqueue(kind, runs, count) {
      await inFlight(20, runs, async () => {
        started.push(
          await ingress
            .serviceSendClient(services[kind])
            .run({ count }, rpc.sendOpts({ idempotencyKey: randomUUID() })),
        );
      });
    },
    runToEnd: (kind, count) => ingress.serviceClient(services[kind]).run({ count }),
    async ended() {
      await inFlight(50, started.length, (n) => ingress.result(started[n]));
      return started.length;
    },
  };
}

async function until(ask) {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
