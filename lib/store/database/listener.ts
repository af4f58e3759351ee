import pg from "pg";
import { backoffMs, sleep } from "./backoff";
import { reachesBackend } from "./session";

/** A silent connection is asked for a sign of life this often: half-open ones never end by themselves. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Behind a pooler nothing is heard; the address may lead to the database itself by the time of the next look. */
const LOOK_AGAIN_MS = 60_000;

interface ListenerEvents {
  onNote(channel: string, payload: string): void;
  /** The connection is new: notes may have been missed before it. */
  onConnect(): void;
  /** Nothing can be heard here: the address leads through a pooler. Told once. */
  onDeaf?(): void;
}

/** A pooler lends the session to others, who would get our notes; a LISTEN there is never heard. */
class Deaf extends Error {}

/**
 * Hears notes on a connection of its own. Only an accelerator: whoever listens must find everything without it, too.
 * A dead connection is noticed and replaced.
 */
export class Listener {
  private client: pg.Client | undefined;
  private stopped = false;
  private told = false;
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
        // Could not connect, or not listen: the next round tries again.
        if (error instanceof Deaf) await this.waitWhileDeaf();
      }
      if (!this.stopped) await sleep(backoffMs(failures));
    }
  }

  private async waitWhileDeaf(): Promise<void> {
    if (!this.told) this.events.onDeaf?.();
    this.told = true;
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
      // A client that is ended while it connects says so by its end alone.
      await Promise.race([client.connect(), dead]);
      if (!(await reachesBackend(client))) throw new Deaf();
      for (const channel of this.channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onReady();
      this.events.onConnect();
      probe = setInterval(() => {
        // A half-open connection would never answer a goodbye either: it is cut.
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

function cut(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
