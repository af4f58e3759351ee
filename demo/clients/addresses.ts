import { readEnv } from "../../lib/env";

let addresses: { sandboxUrl: string; smtpPort: number } | undefined;

/** Where the outside world is; read once, when it is first needed. */
export function outsideWorld(): { sandboxUrl: string; smtpPort: number } {
  addresses ??= readEnv();
  return addresses;
}
