import type { Env } from "../../lib/env";
import { isFree } from "../ports";
import { StartError } from "../start-error";

/** Before anything is started, so that a taken port leaves nothing half-started behind. */
export async function checkPorts(env: Env, mode: "demo" | "start" | "dev"): Promise<void> {
  const wanted = [{ variable: "PORT", port: env.port, host: env.host as string }];
  if (mode === "demo") {
    wanted.push({ variable: "HANDRAIL_SANDBOX_PORT", port: env.sandboxPort, host: "127.0.0.1" });
    wanted.push({ variable: "HANDRAIL_SMTP_PORT", port: env.smtpPort, host: "127.0.0.1" });
  }
  const problems: string[] = [];
  for (const { variable, port, host } of wanted) {
    const twin = wanted.find((other) => other.port === port && other.variable !== variable);
    if (twin) problems.push(`${variable} and ${twin.variable} are both ${port}. Give each a port of its own.`);
    else if (!(await isFree(port, host))) {
      const another = `${variable}=${port < 60_000 ? port + 100 : port - 100} npm run ${mode}`;
      problems.push(
        `Port ${port} on ${host} can't be had: another program listens there, perhaps another Handrail, or it is reserved. ` +
          `Stop that program, or choose another port: ${another}`,
      );
    }
  }
  if (problems.length) throw new StartError(problems.join("\n"));
}
