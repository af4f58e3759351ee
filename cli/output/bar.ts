import { Presets, SingleBar } from "cli-progress";
import type { Screen } from "./screen";

export interface Bar {
  /** @param note a few words behind the bar */
  update(done: number, total: number, note: string): void;
  /** Leaves the bar where it is, and the cursor visible. */
  stop(): void;
}

const NO_BAR: Bar = { update: () => undefined, stop: () => undefined };

/** A bar on stderr, where that is a terminal. The caller stops it, whatever happens. */
export function openBar(screen: Screen, label: string): Bar {
  const stream = screen.moving;
  if (stream === null) return NO_BAR;
  const bar = new SingleBar(
    { format: `${label} {bar} {value}/{total} {note}`, hideCursor: true, barsize: 30, stream },
    Presets.shades_classic,
  );
  let begun = false;
  return {
    update(done, total, note) {
      if (!begun) bar.start(total, done, { note });
      begun = true;
      bar.setTotal(total);
      bar.update(done, { note });
    },
    stop() {
      if (begun) bar.stop();
      begun = false;
    },
  };
}
