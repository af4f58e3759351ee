import { type Env, readEnv } from "./env";

/** Of the console, or the app's own. */
const isNotOurs = (name: string) =>
  ["PORT", "HOST", "HANDRAIL_SIGN_IN", "HANDRAIL_DEMO"].includes(name) || name.startsWith("HANDRAIL_OIDC_");

/**
 * The environment of an app that has Handrail within it: the same variables as a worker's, without those of the console.
 * An address that is given replaces both addresses of the environment.
 * @throws EnvError with a sentence per variable
 */
export function readEnvOfApp(
  { databaseUrl, directUrl }: { databaseUrl?: string | undefined; directUrl?: string | undefined },
  source: NodeJS.ProcessEnv = process.env,
): Env {
  const env = { ...source };
  for (const name of Object.keys(env).filter(isNotOurs)) delete env[name];
  if (databaseUrl !== undefined)
    Object.assign(env, { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl ?? "" });
  return readEnv(env);
}
