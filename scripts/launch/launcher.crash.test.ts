import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { hangServer } from "../../lib/testing/database/hang-server";
import {
  aPlace,
  expectBackSoon,
  kill,
  Launched,
  type Place,
  processesOf,
  processOf,
} from "../../lib/testing/processes/launched";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import { freePort, isFree } from "../ports";
import { isBuilt } from "./build";

const WORKER = "scripts/worker.ts";
const GUARD = "guard-process.mjs";
const LAUNCHER = "scripts/run.ts worker";
const built = await isBuilt();
/** Every worker logs it once. */
const READY = '"msg":"ready"';

async function postmaster({ data }: Place): Promise<{ pid: number; port: number }> {
  const text = await readFile(join(data, "postgres/cluster/data/postmaster.pid"), "utf8");
  const [pid = 0, , , port = 0] = text.split("\n").map(Number);
  return { pid, port };
}

async function query(place: Place, sql: string): Promise<unknown[]> {
  const password = await readFile(join(place.data, "postgres/cluster/password"), "utf8");
  const { port } = await postmaster(place);
  const client = new pg.Client({ connectionString: `postgresql://postgres:${password}@127.0.0.1:${port}/handrail` });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

async function startWorker(place: Place): Promise<Launched> {
  const launched = Launched.npm("worker", place);
  await launched.untilSaid(READY);
  return launched;
}

const untilWorkerLives = (place: Place) =>
  until("A live worker", async () => {
    const [live] = await query(
      place,
      "select count(*) from handrail.worker where lease_expires_at > clock_timestamp()",
    );
    return Number(live) > 0;
  });

async function expectNothingLeft(place: Place, port: number): Promise<void> {
  await until("The end of all processes", () => processesOf(place.data).length === 0).catch(() => undefined);
  expect(processesOf(place.data)).toEqual([]);
  expect(await isFree(port)).toBe(true);
}

describe.skipIf(process.platform !== "linux")("npm run worker on the embedded database", () => {
  it("starts again whatever of it is killed, and says so", async () => {
    const place = await aPlace();
    const launched = await startWorker(place);
    await query(place, "create table kept as select 42 as answer");
    const { port } = await postmaster(place);

    for (const [nth, signal] of (["SIGKILL", "SIGQUIT"] as const).entries()) {
      const { pid } = await postmaster(place);
      process.kill(pid, signal); // SIGQUIT is what `pg_ctl stop -m immediate` sends
      await expectBackSoon(`PostgreSQL after ${signal}`, async () => {
        await launched.untilSaid("The embedded database runs again.", nth + 1);
        expect(await query(place, "select answer from kept")).toEqual([42]);
      });
      expect((await postmaster(place)).port).toBe(port);
    }
    expect(launched.count("The embedded database ended, or cut its connections.")).toBe(2);

    const workers = launched.count(READY);
    process.kill(processOf(place.data, WORKER), "SIGKILL");
    await expectBackSoon("worker after SIGKILL", async () => {
      await launched.untilSaid("The worker ended (SIGKILL). Another one starts ");
      await launched.untilSaid(READY, workers + 1);
    });

    const guard = processOf(place.data, GUARD);
    process.kill(guard, "SIGKILL");
    await until("Another guard", () =>
      processesOf(place.data).some(({ pid, command }) => command.includes(GUARD) && pid !== guard),
    );

    // The new guard knows what it guards.
    process.kill(processOf(place.data, LAUNCHER), "SIGKILL");
    await expectNothingLeft(place, port);
  });

  it("leaves a database that hangs as it is, and stops it all the same when it is stopped itself", async () => {
    const place = await aPlace();
    const launched = await startWorker(place);
    const before = await postmaster(place);
    const goOn = await hangServer(before.pid);
    await launched.untilSaid("The embedded database takes no new connections, and its process lives");
    goOn();
    await launched.untilSaid("The embedded database takes connections again.");
    await untilWorkerLives(place);
    expect(await postmaster(place)).toEqual(before);
    expect(launched.count("The embedded database ended")).toBe(0);

    await hangServer(before.pid);
    const began = performance.now();
    kill(processOf(place.data, LAUNCHER), "SIGTERM");
    await expectNothingLeft(place, before.port);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it("leaves nothing behind, however it is stopped, and the data as they were", async () => {
    const place = await aPlace();
    await startWorker(place);
    await query(place, "create table kept as select 42 as answer");
    const { port } = await postmaster(place);
    const ends: ((launched: Launched) => Promise<void> | void)[] = [
      ({ pid }) => kill(pid, "SIGKILL"), // npm
      ({ pid }) => kill(pid, "SIGTERM"),
      async ({ pid }) => {
        process.kill(processOf(place.data, WORKER), "SIGSTOP"); // so that it still runs when Ctrl-C comes again
        process.kill(-pid, "SIGINT");
        await sleep(1_000); // a second Ctrl-C is one that comes half a second later or more
        process.kill(-pid, "SIGINT");
      },
    ];
    kill(processOf(place.data, LAUNCHER), "SIGTERM");
    await expectNothingLeft(place, port);
    for (const end of oneIn(3, ends)) {
      const launched = await startWorker(place);
      await end(launched);
      await expectNothingLeft(place, port);
    }

    await startWorker(place);
    for (const { pid } of processesOf(place.data)) kill(pid, "SIGKILL");
    await expectNothingLeft(place, port);
    await startWorker(place); // despite the postmaster.pid of a server that was killed
    expect(await query(place, "select answer from kept")).toEqual([42]);
  });
});

it.skipIf(process.platform !== "linux")(
  "npm start behind a proxy says that sign-in is missing, before it starts anything",
  async () => {
    const place = await aPlace({ HANDRAIL_ORIGIN: "https://handrail.example.com" });
    const launched = Launched.npm("start", place);
    await launched.untilSaid("there is no sign-in: set HANDRAIL_SIGN_IN=on");
    expect(await launched.untilEnded()).toBe(1);
    expect(processesOf(place.data)).toEqual([]);
  },
);

describe.skipIf(process.platform !== "linux" || !built)("npm run demo (skipped without a build)", () => {
  it("starts the sandbox again when it is killed", async () => {
    const [port, smtp] = [await freePort(), await freePort()];
    const place = await aPlace({ HANDRAIL_SANDBOX_PORT: `${port}`, HANDRAIL_SMTP_PORT: `${smtp}` });
    const launched = Launched.npm("demo", place);
    const isHealthy = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until("The sandbox", isHealthy);
    kill(processOf(place.data, "demo/sandbox/main.ts"), "SIGKILL");
    await expectBackSoon("sandbox after SIGKILL", async () => {
      await launched.untilSaid("The sandbox ended (SIGKILL). Another one starts at once.");
      await until("The sandbox again", isHealthy);
    });
    kill(processOf(place.data, "scripts/run.ts demo"), "SIGTERM");
    await launched.untilEnded();
    await expectNothingLeft(place, port);
    expect(await isFree(smtp)).toBe(true);
  });
});
