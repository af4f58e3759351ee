import { ApiError, type Client, clientOf } from "../../lib/api/client/client";
import { readCliEnv } from "../../lib/env-of-cli";
import { Screen } from "../output/screen";
import { baseOf, checkedToken } from "./address";
import { type Prompts, prompts } from "./prompts";
import { sightOfPrimary } from "./sight-of-primary";
import { Interrupted } from "./stops";

/** The options of every command. */
export interface Globals {
  url?: string;
  token?: string;
  json?: boolean;
  color?: boolean;
}

/** What a command works with. */
export interface Session {
  client: Client;
  screen: Screen;
  prompts: Prompts;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

export function screenOf({ json = false, color = true }: Globals): Screen {
  return new Screen(process.stdout, process.stderr, { json, colours: color && !readCliEnv().colourless });
}

/** @throws UsageError for an address or a token that cannot be one */
export function openSession(globals: Globals, screen: Screen, signal: AbortSignal): Session {
  const env = readCliEnv();
  const { base, isPlain } = baseOf(globals.url ?? env.url);
  const token = checkedToken(globals.token ?? env.token);
  if (globals.token !== undefined)
    screen.warn("A token on the command line can be read by others on this machine. Set HANDRAIL_TOKEN instead.");
  if (token !== undefined && isPlain) screen.warn(`The token is sent to ${base} without encryption.`);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = clientOf({ base, headers, sight: sightOfPrimary });
  return { client: stoppable(client, base, signal), screen, prompts, signal };
}

/** Every request ends with Ctrl-C, and one without an answer says where it went. */
function stoppable(client: Client, base: string, signal: AbortSignal): Client {
  const explained = (error: unknown): never => {
    if (signal.aborted) throw new Interrupted();
    if (error instanceof ApiError && error.code === "unreachable")
      throw new ApiError(
        error.code,
        `Handrail does not answer at ${base}. Check that it is running, then try again.`,
        0,
      );
    throw error;
  };
  return {
    read: (path, given, options) => client.read(path, given, { signal, ...options }).catch(explained),
    post: (path, params, sending) => client.post(path, params, { signal, ...sending }).catch(explained),
    put: (path, params, sending) => client.put(path, params, { signal, ...sending }).catch(explained),
  };
}
