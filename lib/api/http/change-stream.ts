import type { Change, ChangeFeed } from "../../operator/changes/change-feed";
import type { ChangeEvent, Heartbeat } from "../contract/responses";

/** A client receives progress at most this often; changes meanwhile are combined. */
const INTERVAL_MS = 250;
/**
 * Ends and runs that need attention are sent at once: up to a burst, and then at the rate the process can afford, which
 * is once in this many milliseconds for each open stream.
 */
const AT_ONCE = 20;
const COST_MS = 0.5;
/** Tells the client that console and database answer, keeps the stream open for proxies, and detects closed clients. */
const HEARTBEAT_MS = 5_000;
/** While the database is silent, so that its return is seen soon. */
const SILENT_HEARTBEAT_MS = 1_500;
/** A browser that lost the stream reconnects after this long. */
const RETRY_MS = 2_000;
/** How often a stream checks its caller's permission, silent or not: a revoked one ends within 5 s. */
const ASK_AGAIN_MS = 4_000;
/** More runs than this are not named. */
const MAX_NAMED = 100;

// The browser sends the id again when it reconnects.
const HELLO = `retry: ${RETRY_MS}\nid: 0\n\n`;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: compression would hold events back.
  "cache-control": "private, no-store, no-transform",
  "x-accel-buffering": "no",
};

/** A listener to changes. */
interface Subscriber {
  /** The accountable caller, for the limit; null without sign-in. */
  by: string | null;
  /** Called repeatedly: whether the caller still has the permission. */
  stillMay(): Promise<boolean>;
  /** The runs among these that the caller may see. */
  visible(runIds: readonly string[]): Promise<readonly string[]>;
  /** Where the log of the primary is now; null: unknown, or there is no standby to read from. */
  position(): Promise<string | null>;
  /** Soon, also while the database hangs. */
  databaseAnswers(): Promise<boolean>;
}

/**
 * Changes as Server-Sent Events. A new client first receives what changed in the last 10 s, since it read before it
 * listened; a reconnecting one (it sends the Last-Event-ID), and one that comes before all of that is known, `resync`.
 * @throws HandrailError `too_busy` when too many clients listen already
 */
export function changeStream(feed: ChangeFeed, request: Request, subscriber: Subscriber): Response {
  feed.refuseWhenFull(subscriber.by);
  let gathered: Gathered | undefined;
  const events = new ReadableStream<Uint8Array>(
    {
      // Pulled only when the client has taken the last event: a slow one finds its changes combined, never queued. The
      // subscription begins with the first pull, which a HEAD request never makes.
      async pull(controller) {
        const text = gathered ? await gathered.next() : HELLO;
        gathered ??= listenFor(request, feed, subscriber);
        if (text === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(text));
      },
      cancel: () => gathered?.onClose(),
    },
    { highWaterMark: 0 },
  );
  return new Response(events, { headers: HEADERS });
}

function listenFor({ headers, signal }: Request, feed: ChangeFeed, subscriber: Subscriber): Gathered {
  const gathered = new Gathered(feed, subscriber);
  const lately = headers.has("last-event-id") ? undefined : feed.changedLately();
  if (lately) gathered.onChange(lately);
  else gathered.onResync();
  signal.addEventListener("abort", () => gathered.onClose());
  if (signal.aborted) gathered.onClose();
  return gathered;
}

interface Taken {
  runIds: string[];
  many: boolean;
  resync: boolean;
}

/** Changes not yet sent to one client: bounded, however long it does not read. */
class Gathered {
  private readonly runIds = new Set<string>();
  private many = false;
  private resync = false;
  private urgent = false;
  /** How many events may be sent at once now, counted at `lastAt`. */
  private atOnce = AT_ONCE;
  private closed = false;
  private wake: (() => void) | undefined;
  private lastAt = Number.NEGATIVE_INFINITY;
  private readonly unlisten: () => void;

  private askedAt = performance.now();
  private asking = false;
  private heartbeatMs = HEARTBEAT_MS;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly subscriber: Subscriber,
  ) {
    this.unlisten = feed.listen({
      by: subscriber.by,
      onChange: (change) => this.onChange(change),
      onResync: () => this.onResync(),
      onClose: () => this.onClose(),
    });
  }

  onResync(): void {
    this.resync = true;
    this.wake?.();
  }

  onClose(): void {
    this.closed = true;
    this.unlisten();
    this.wake?.();
  }

  onChange({ runIds, many, urgent }: Change): void {
    if (urgent) this.urgent = true;
    for (const runId of runIds) this.runIds.add(runId);
    if (many || this.runIds.size > MAX_NAMED) {
      this.many = true;
      this.runIds.clear();
    }
    this.wake?.();
  }

  /** The next event, a heartbeat after some silence, or undefined at the end. */
  async next(): Promise<string | undefined> {
    await this.untilItsTime();
    const beatAt = performance.now() + this.heartbeatMs;
    await this.untilThereIsNews(beatAt);
    const now = performance.now();
    this.atOnce = Math.min(AT_ONCE, this.atOnce + (now - this.lastAt) / this.againMs) - 1;
    this.lastAt = now;
    const changes =
      this.isWaiting && (await this.isPermittedBy(beatAt)) ? await this.serialized(this.take()) : undefined;
    if (this.closed) return undefined;
    return changes ?? this.heartbeat();
  }

  /** At most until the next heartbeat. */
  private async untilThereIsNews(beatAt: number): Promise<void> {
    for (let now = performance.now(); now < beatAt && !this.closed && !this.isWaiting; now = performance.now()) {
      const askAt = this.asking ? beatAt : this.askedAt + ASK_AGAIN_MS;
      await this.nap(Math.max(1, Math.min(beatAt, askAt) - now), () => this.closed || this.isWaiting);
      this.askAgain();
    }
  }

  /** The interval since the last event has passed, or there is an urgent event and budget for it. */
  private async untilItsTime(): Promise<void> {
    const soon = this.atOnce >= 1 ? 0 : this.lastAt + this.againMs - performance.now();
    if (soon > 0) await this.nap(soon, () => this.closed);
    const early = this.lastAt + INTERVAL_MS - performance.now();
    if (early > 0) await this.nap(early, () => this.closed || this.urgent);
  }

  private get againMs(): number {
    return Math.min(INTERVAL_MS, Math.max(1, this.feed.size) * COST_MS);
  }

  /** The event's text; undefined when all of it is of other people's runs, or nobody can tell whose they are. */
  private async serialized({ runIds, many, resync }: Taken): Promise<string | undefined> {
    const visible = many || runIds.length === 0 ? [] : await this.subscriber.visible(runIds).catch(() => null);
    if (visible === null) this.resync = true;
    if (!many && !visible?.length) return undefined;
    // After the change has committed: what is read because of it must not be older.
    const wal = await this.subscriber.position();
    const change: ChangeEvent = { runIds: [...(visible ?? [])], many, ...(wal !== null && { wal }) };
    return `event: ${resync ? "resync" : "change"}\ndata: ${JSON.stringify(change)}\n\n`;
  }

  private async heartbeat(): Promise<string> {
    const heartbeat: Heartbeat = { database: await this.subscriber.databaseAnswers() };
    this.heartbeatMs = heartbeat.database ? HEARTBEAT_MS : SILENT_HEARTBEAT_MS;
    return `event: heartbeat\ndata: ${JSON.stringify(heartbeat)}\n\n`;
  }

  /** False when a check takes longer: a heartbeat goes first, and the changes wait. */
  private async isPermittedBy(at: number): Promise<boolean> {
    this.askAgain();
    await this.nap(Math.max(1, at - performance.now()), () => this.closed || !this.asking);
    return !this.closed && !this.asking;
  }

  private askAgain(): void {
    if (this.asking || performance.now() - this.askedAt < ASK_AGAIN_MS) return;
    this.askedAt = performance.now();
    this.asking = true;
    // When the check gets no answer, the stream stays open, but has nothing to send either.
    const asked = this.subscriber.stillMay().catch(() => true);
    void asked.then((may) => {
      this.asking = false;
      if (may) this.wake?.();
      else this.onClose();
    });
  }

  private get isWaiting(): boolean {
    return this.resync || this.many || this.runIds.size > 0;
  }

  private take(): Taken {
    const { resync } = this;
    const taken = { runIds: resync ? [] : [...this.runIds], many: resync || this.many, resync };
    this.resync = false;
    this.many = false;
    this.urgent = false;
    this.runIds.clear();
    return taken;
  }

  private nap(ms: number, isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.wake = () => {
        if (isOver()) end();
      };
    });
  }
}
