import { HandrailError } from "../engine/errors";
import { Listener } from "../store/listener";
import { CHANGE_CHANNEL, type Change } from "../store/notify";

/** Streams and long polls at once; whoever comes later may ask from time to time. */
const MAX_LISTENERS = 500;
/** And so many of one person, in all their sessions, or of the tokens that one person has made. */
const MAX_OF_ONE = 250;
/** The last places are for those who have few: however many listen much, others hear something. */
const KEPT_PLACES = 100;
const FEW = 10;

interface ChangeListener {
  /** Who answers for the listener: a person, or whoever made a token; null where there is no sign-in. */
  by: string | null;
  onChange(change: Change): void;
  /** Changes may have been missed. */
  onResync(): void;
  /** The feed ends with the process. */
  onClose(): void;
}

/** What changed in the database, for everybody in this process who wants to hear it: one connection, however many listen. */
export class ChangeFeed {
  private readonly listeners = new Set<ChangeListener>();
  private readonly listener: Listener;
  private running: Promise<void> | undefined;
  private connectedBefore = false;

  constructor(directUrl: string, onDeaf: () => void = () => undefined) {
    this.listener = new Listener(directUrl, [CHANGE_CHANNEL], {
      onDeaf,
      onNote: (_, payload) => this.tell(parse(payload)),
      onConnect: () => {
        // Nobody has heard anything before the first connection; after a later one, something may be missing.
        if (this.connectedBefore) for (const listener of this.listeners) listener.onResync();
        this.connectedBefore = true;
      },
    });
  }

  get size(): number {
    return this.listeners.size;
  }

  /** @throws HandrailError `too_busy` */
  refuseWhenFull(by: string | null): void {
    const own = by === null ? 0 : [...this.listeners].filter((listener) => listener.by === by).length;
    const left = MAX_LISTENERS - this.listeners.size;
    if (left <= 0 || own >= MAX_OF_ONE || (left <= KEPT_PLACES && own >= FEW))
      throw new HandrailError("too_busy", "Too many wait for changes here. Ask again from time to time instead.");
  }

  /** Connects with the first listener. Returns what ends the listening. */
  listen(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    this.running ??= this.listener.run();
    return () => {
      this.listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    for (const listener of this.listeners) listener.onClose();
    this.listeners.clear();
    await this.listener.stop();
  }

  private tell(change: Change | undefined): void {
    for (const listener of this.listeners) {
      if (change) listener.onChange(change);
      else listener.onResync();
    }
  }
}

/** Undefined for a note that is not ours: then all that is known is that something happened. */
function parse(payload: string): Change | undefined {
  try {
    const { runIds, many } = JSON.parse(payload) as Partial<Change>;
    return Array.isArray(runIds) ? { runIds: runIds.map(String), many: many === true } : undefined;
  } catch {
    return undefined;
  }
}
