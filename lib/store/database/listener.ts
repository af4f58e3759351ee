import pg from "pg";
import { backoffMs, sleep } from "./backoff";
import { reachesBackend } from "./session";

/** Interval of the probe of a silent connection: half-open ones never end by themselves. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Behind a pooler nothing is received; the address may lead to the database itself by the next check. */
const LOOK_AGAIN_MS = 60_000;

interface ListenerEvents {
  onNote(channel: string, payload: string): void;
  /** The connection is new: earlier notifications may have been missed. */
  onConnect(): void;
  /** Nothing can be received here: the address leads through a pooler. Called once. */
  onDeaf?(): void;
}

/** A pooler shares the session with other clients, who would get our notifications; a LISTEN there has no effect. */
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
        if (error instanceof Deaf) await this.waitWhileDeaf();
      }
      if (!this.stopped) await sleep(backoffMs(failures));
    }
  }

  private async waitWhileDeaf(): Promise<void> {
    if (!this.reported) this.events.onDeaf?.();
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
      if (!(await reachesBackend(client))) throw new Deaf();
      for (const channel of this.channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
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

function cut(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
