import { HandrailError } from "../../engine/errors";
import { Listener } from "../../store/database/listener";
import { type Change, changeChannel, workChannel } from "../../store/database/notify";
import { codeAnswerChannel } from "../../store/workflows/code-notes";
import { Places } from "./places";
import { RecentChanges } from "./recent-changes";

/** Streams and long polls at once; later clients have to poll. */
const PLACES = { all: 500, ofOne: 250, kept: 100 };

export type { Change };

interface ChangeListener {
  /**
   * The user that the listener is counted by: the signed-in user, or the creator of the token; null without sign-in.
   */
  by: string | null;
  onChange(change: Change): void;
  /** A run has become claimable. */
  onWork?(): void;
  /** A worker has answered a request to its code. */
  onCodeAnswer?(id: string): void;
  /** Changes may have been missed. */
  onResync(): void;
  /** The feed ends with the process. */
  onClose(): void;
}

/** Database changes for all listeners in this process: one connection, however many listeners. */
export class ChangeFeed {
  private readonly listeners = new Set<ChangeListener>();
  private readonly places = new Places(PLACES);
  private readonly recent = new RecentChanges();
  private readonly listener: Listener;
  private running: Promise<void> | undefined;

  constructor(directUrl: string, onDeaf: (message: string) => void = () => undefined) {
    this.listener = new Listener(directUrl, [changeChannel(), workChannel(), codeAnswerChannel()], {
      onDeaf,
      onNote: (channel, payload) => {
        if (channel === workChannel()) for (const listener of this.listeners) listener.onWork?.();
        else if (channel === codeAnswerChannel())
          for (const listener of this.listeners) listener.onCodeAnswer?.(payload);
        else this.notify(parse(payload));
      },
      // Also on the first connection: the listeners have been waiting for it, and notifications were sent meanwhile.
      onConnect: () => this.notify(undefined),
    });
  }

  get size(): number {
    return this.listeners.size;
  }

  /** @throws HandrailError `too_busy` */
  refuseWhenFull(by: string | null): void {
    if (this.places.isFullFor(by))
      throw new HandrailError("too_busy", "Too many wait for changes here. Ask again from time to time instead.");
  }

  /** Connects with the first listener. Returns the function that ends the listening. */
  listen(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    this.places.take(listener.by);
    this.running ??= this.listener.run();
    return () => {
      if (this.listeners.delete(listener)) this.places.leave(listener.by);
    };
  }

  /** What changed while a page was on its way to a browser; undefined when the feed has not heard all of it. */
  changedLately(): Change | undefined {
    return this.recent.all();
  }

  async close(): Promise<void> {
    for (const listener of this.listeners) listener.onClose();
    this.listeners.clear();
    await this.listener.stop();
  }

  private notify(change: Change | undefined): void {
    if (change) this.recent.add(change);
    else this.recent.begin();
    for (const listener of this.listeners) {
      if (change) listener.onChange(change);
      else listener.onResync();
    }
  }
}

/** Undefined for a foreign notification: then all that is known is that something changed. */
function parse(payload: string): Change | undefined {
  try {
    const { runIds, many, urgent } = JSON.parse(payload) as Partial<Change>;
    if (!Array.isArray(runIds)) return undefined;
    return { runIds: runIds.map(String), many: many === true, urgent: urgent === true };
  } catch {
    return undefined;
  }
}
