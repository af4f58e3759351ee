import pg from "pg";
import { backoffMs, sleep } from "./backoff";
import { hasNoNotes } from "./notify";
import { reachesBackend } from "./session";

/** Interval of the probe of a silent connection: half-open ones never end by themselves. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** By the next check, the address may lead to a database that sends notifications. */
const LOOK_AGAIN_MS = 60_000;

interface ListenerEvents {
  onNote(channel: string, payload: string): void;
  /** The connection is new: earlier notifications may have been missed. */
  onConnect(): void;
  /** Nothing can be received here. Called once, with a message for the log. */
  onDeaf?(message: string): void;
}

/** A pooler shares the session with other clients, who would get our notifications; a LISTEN there has no effect. */
const BEHIND_POOLER =
  "the database is reached through a pooler, which forwards no notifications: new work is found by polling, slower. " +
  "Set DATABASE_DIRECT_URL to the address of the database itself";
const NO_LISTEN = "the database refuses LISTEN: new work is found by polling, slower. Nothing else changes";

/** Nothing can be received; the message says why. */
class Deaf extends Error {}

/**
 * Listens for notifications on a dedicated connection. Only an accelerator: listeners must also find everything without
 * it. A dead connection is detected and replaced.
 */
export class Listener {
  private client: pg.Client | undefined;
  private stopped = false;
  private reported = false;
  private endPause: (() => void) | undefined;

  constructor(
    private readonly directUrl: string,
    private readonly channels: readonly string[],
    private readonly events: ListenerEvents,
  ) {}

  async run(): Promise<void> {
    for (let failures = 0; !this.stopped; failures++) {
      try {
        await this.listenUntilDead(() => {
          failures = 0;
        });
      } catch (error) {
        // Could not connect or listen: the next round tries again.
        if (error instanceof Deaf) await this.waitWhileDeaf(error.message);
      }
      if (!this.stopped) await sleep(backoffMs(failures));
    }
  }

  private async waitWhileDeaf(message: string): Promise<void> {
    if (!this.reported) this.events.onDeaf?.(message);
    this.reported = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN_MS);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.stopped) this.endPause();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endPause?.();
    await this.client?.end().catch(() => undefined);
  }

  private async listenUntilDead(onReady: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.directUrl,
      application_name: "handrail listener",
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    const dead = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    client.on("notification", ({ channel, payload = "" }) => this.events.onNote(channel, payload));
    let probe: NodeJS.Timeout | undefined;
    try {
      // A client that is ended while it connects reports that only by its `end` event.
      await Promise.race([client.connect(), dead]);
      if (!(await reachesBackend(client))) throw new Deaf(BEHIND_POOLER);
      for (const channel of this.channels) await listen(client, channel);
      onReady();
      this.events.onConnect();
      probe = setInterval(() => {
        // A half-open connection would not answer a goodbye either: it is cut.
        client.query("select 1").catch(() => cut(client));
      }, PROBE_INTERVAL_MS);
      await dead;
    } finally {
      clearInterval(probe);
      // Whatever broke, no session stays behind.
      client.end().catch(() => undefined);
    }
  }
}

async function listen(client: pg.Client, channel: string): Promise<void> {
  try {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    throw hasNoNotes(error) ? new Deaf(NO_LISTEN, { cause: error }) : error;
  }
}

/** Ends a connection whose server may not answer a goodbye. */
export function cut(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
