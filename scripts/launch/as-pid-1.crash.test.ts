import { createServer, type Server } from "node:net";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../demo/sandbox/server";
import { welcomeReminder } from "../../demo/workflows/welcome-reminder/welcome-reminder";
import { AS_PID_1, canBePid1 } from "../../lib/testing/processes/as-pid-1";
import {
  aPlace,
  expectBackSoon,
  kill,
  Launched,
  type Place,
  processesOf,
  processOf,
} from "../../lib/testing/processes/launched";
import { theOutsideWorld } from "../../lib/testing/processes/outside-world";
import { until } from "../../lib/testing/until";
import { anEngine } from "../../lib/testing/workers/engine";
import { isFree } from "../ports";
import { isBuilt } from "./build";

const built = await isBuilt();

const RUNS = 20;
/** Within the grace of a worker, and far longer than it takes to be stopped by force. */
const BODY_MS = 3_000;

const engine = anEngine();
const world = theOutsideWorld(startSandbox);

const settings = () => ({ ...world.env(), DATABASE_URL: engine.database.url, HANDRAIL_DEMO: "on" });

/** Each sends a mail, and then sleeps for a day. */
async function startRuns(email: string): Promise<void> {
  await world.fault("mail", { mode: "slow", delayMs: BODY_MS });
  for (let n = 0; n < RUNS; n++) await engine.start(welcomeReminder, { email, delaySeconds: 86_400 });
}

const steps = (email: string) =>
  engine.rows<{ status: string; count: number }>(
    `select step.status, count(*)::int from handrail.step join handrail.run on run.id = step.run_id
     where step.effect = 'once' and run.input like '%' || $1 || '%' group by 1`,
    [email],
  );

const untilAll = (status: string, email: string) =>
  until(`${RUNS} steps ${status}`, async () => {
    const [only, ...others] = await steps(email);
    return others.length === 0 && only?.status === status && only.count === RUNS;
  });

/** Undefined while the port is taken. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

/** As `docker stop` does. */
async function terminate({ data }: Place, launched: Launched): Promise<void> {
  const pid1 = processesOf(data).find(({ command }) => command.startsWith("npm run"));
  kill(pid1?.pid as number, "SIGTERM");
  expect(await launched.untilEnded()).toBe(0);
  expect(processesOf(data)).toEqual([]);
}

describe.skipIf(!canBePid1)("npm as process 1 (skipped where `unshare` is not permitted)", () => {
  it("npm run worker: steps in flight end before the worker does", async () => {
    const email = "worker@example.com";
    const place = await aPlace(settings());
    await startRuns(email);
    const launched = Launched.npm("worker", place, AS_PID_1);
    await untilAll("running", email);
    await terminate(place, launched);
    expect(await steps(email)).toEqual([{ status: "completed", count: RUNS }]);
  });

  it.skipIf(!built)(
    "npm start: so they do, and a console that was killed is back (skipped without a build)",
    async () => {
      const email = "start@example.com";
      const place = await aPlace(settings());
      const launched = Launched.npm("start", place, AS_PID_1);
      await launched.untilSaid("Handrail is running at");
      const url = `http://127.0.0.1:${place.port}/api/health/ready`;
      const isReady = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        );

      const killConsole = () => kill(processOf(place.data, "next-server"), "SIGKILL");
      killConsole();
      await expectBackSoon("console after SIGKILL", async () => {
        await launched.untilSaid("The console ended (SIGKILL). Another one starts at once.");
        await until("A console again", isReady);
      });

      // Another program is faster than the next console.
      killConsole();
      const thief = await until("The console's port", () => listen(place.port));
      await launched.untilSaid(`The console cannot start: port ${place.port} is in use`);
      await new Promise((resolve) => thief.close(resolve));
      await until("A console again", isReady);

      await startRuns(email);
      await untilAll("running", email);
      await terminate(place, launched);
      expect(await steps(email)).toEqual([{ status: "completed", count: RUNS }]);
      expect(await isFree(place.port)).toBe(true);
    },
  );
});
