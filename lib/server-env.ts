import { type Env, readEnvOfConsole } from "./env";

/** On globalThis, since Next bundles modules separately. */
const shared = globalThis as { handrailEnv?: Env };

/** Read once: every request needs the expected host name. */
export function serverEnv(): Env {
  shared.handrailEnv ??= readEnvOfConsole();
  return shared.handrailEnv;
}
