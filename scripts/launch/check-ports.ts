import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../../lib/env";
import { isFree } from "../ports";
import { StartError } from "../start-error";
import { say } from "./say";

type Wanted = { variable: string; port: number; host: string };

const LOOK_AGAIN_MS = 250;
const SAY_AGAIN_MS = 60_000;

export const consolePort = ({ port, host }: Env): Wanted => ({ variable: "PORT", port, host });

export const sandboxPorts = (env: Env): Wanted[] => [
  { variable: "HANDRAIL_SANDBOX_PORT", port: env.sandboxPort, host: "127.0.0.1" },
  { variable: "HANDRAIL_SMTP_PORT", port: env.smtpPort, host: "127.0.0.1" },
];

/**
 * Before anything is started, so that a taken port leaves nothing half-started behind.
 * @param command that starts it with other ports
 */
export async function checkPorts(env: Env, mode: "demo" | "start" | "dev", command = `npm run ${mode}`): Promise<void> {
  const wanted = [consolePort(env), ...(mode === "demo" ? sandboxPorts(env) : [])];
  if (new Set(wanted.map(({ port }) => port)).size < wanted.length) {
    const same = wanted.map(({ variable, port }) => `${variable}=${port}`).join(", ");
    throw new StartError(`Each of these needs a port of its own: ${same}.`);
  }
  const taken = await whichAreTaken(wanted);
  if (taken.length) throw new StartError(complaint(taken, command));
}

/**
 * Before a program is restarted: another one may have taken its port meanwhile. Prints so once a minute until the port
 * is free. Resolves early when the signal aborts.
 */
export async function untilFree(program: string, wanted: Wanted[], stopping: AbortSignal): Promise<void> {
  for (let saidAt = -SAY_AGAIN_MS; !stopping.aborted; ) {
    const [taken] = await whichAreTaken(wanted);
    if (!taken) return;
    if (performance.now() - saidAt >= SAY_AGAIN_MS) {
      saidAt = performance.now();
      say(
        `The ${program} cannot start: port ${taken.port} is in use on ${taken.host} by another program. Stop that program, ` +
          `and the ${program} starts; or stop Handrail and give it another port with ${taken.variable}.`,
      );
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

async function whichAreTaken(wanted: Wanted[]): Promise<Wanted[]> {
  const free = await Promise.all(wanted.map(({ port, host }) => isFree(port, host)));
  return wanted.filter((_, index) => !free[index]);
}

function complaint(taken: Wanted[], command: string): string {
  const [first] = taken;
  const which =
    taken.length === 1 ? `Port ${first?.port} is` : `The ports ${taken.map(({ port }) => port).join(", ")} are`;
  const others = taken.map(({ variable, port }) => `${variable}=${port < 60_000 ? port + 100 : port - 100}`).join(" ");
  return (
    `${which} in use on ${first?.host}, perhaps by another Handrail. ` +
    `Stop that program, or choose ${taken.length === 1 ? "another" : "others"}: ${others} ${command}`
  );
}
