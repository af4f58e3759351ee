import { type Env, readEnv } from "./env";

/** On globalThis, for what Next bundles apart. */
const shared = globalThis as { handrailEnv?: Env };

/** Read once: every request asks by what name it was to come. */
export function serverEnv(): Env {
  shared.handrailEnv ??= readEnv();
  return shared.handrailEnv;
}
