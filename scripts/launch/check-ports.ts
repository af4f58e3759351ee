import type { Env } from "../../lib/env";
import { isFree } from "../ports";
import { StartError } from "../start-error";

type Wanted = { variable: string; port: number; host: string };

/** Before anything is started, so that a taken port leaves nothing half-started behind. */
export async function checkPorts(env: Env, mode: "demo" | "start" | "dev"): Promise<void> {
  const wanted: Wanted[] = [{ variable: "PORT", port: env.port, host: env.host }];
  if (mode === "demo") {
    wanted.push({ variable: "HANDRAIL_SANDBOX_PORT", port: env.sandboxPort, host: "127.0.0.1" });
    wanted.push({ variable: "HANDRAIL_SMTP_PORT", port: env.smtpPort, host: "127.0.0.1" });
  }
  if (new Set(wanted.map(({ port }) => port)).size < wanted.length) {
    const same = wanted.map(({ variable, port }) => `${variable}=${port}`).join(", ");
    throw new StartError(`Each of these needs a port of its own: ${same}.`);
  }
  const free = await Promise.all(wanted.map(({ port, host }) => isFree(port, host)));
  const taken = wanted.filter((_, index) => !free[index]);
  if (taken.length) throw new StartError(complaint(taken, mode));
}

function complaint(taken: Wanted[], mode: string): string {
  const [first] = taken;
  const which =
    taken.length === 1 ? `Port ${first?.port} is` : `The ports ${taken.map(({ port }) => port).join(", ")} are`;
  const others = taken.map(({ variable, port }) => `${variable}=${port < 60_000 ? port + 100 : port - 100}`).join(" ");
  return (
    `${which} in use on ${first?.host}, perhaps by another Handrail. ` +
    `Stop that program, or choose ${taken.length === 1 ? "another" : "others"}: ${others} npm run ${mode}`
  );
}
