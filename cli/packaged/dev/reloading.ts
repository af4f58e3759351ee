import path from "node:path";
import { watch } from "chokidar";
import type { Child } from "../../../scripts/launch/child";
import { type Kept, keepRunning } from "../../../scripts/launch/keep-running";

const NOT_THE_APP = new Set(["node_modules", ".git", ".handrail", ".next", "dist", "build", "coverage"]);
const SOURCE = /\.([cm]?[jt]sx?|json)$/;
/** A save of several files at once is one change. */
const SETTLE_MS = 100;
/** By itself, and not before something is changed: it could not be loaded, or its database refuses it. */
const CANNOT_START = "exit code 1";

interface Reloading {
  folder: string;
  start: () => Child;
  /** Whether a change of this file changes what runs. */
  isLoaded: (file: string) => boolean;
  /** Of any file of the app. */
  onSaved: (file: string) => void;
  untilPossible: (stopping: AbortSignal) => Promise<void>;
  say: (sentence: string) => void;
}

/**
 * Keeps a worker running, and begins another one whenever a file of the app is saved. The one before stops as on SIGTERM:
 * steps in flight finish, and its other runs are handed back to the new one.
 */
export function keepReloading({ folder, start, isLoaded, onSaved, untilPossible, say }: Reloading): Pick<Kept, "stop"> {
  const leaving = new Set<Promise<void>>();
  let stopped = false;
  let current = begin();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, {
    ignored: (file) =>
      path
        .relative(folder, file)
        .split(path.sep)
        .some((part) => NOT_THE_APP.has(part)),
    ignoreInitial: true,
  });
  watcher.on("all", (_event, file) => {
    if (stopped || !SOURCE.test(file)) return;
    onSaved(path.resolve(file));
    if (!isLoaded(path.resolve(file))) return;
    clearTimeout(timer);
    timer = setTimeout(() => reload(file), SETTLE_MS);
  });
  // What cannot be watched is not reloaded; all else goes on.
  watcher.on("error", (error) => say(`Changes are not noticed everywhere: ${(error as Error).message}`));

  function begin(): Kept {
    const kept = keepRunning(start, { untilPossible, isFinal: (how) => how === CANNOT_START });
    void kept.ended.then(() => {
      if (!stopped && current === kept) say("The worker could not start. It starts again when a file is saved.");
    });
    return kept;
  }

  function reload(file: string): void {
    if (stopped) return;
    say(`${path.relative(folder, file)} was saved: the worker starts again.`);
    const before = current;
    current = begin();
    leave(before);
  }

  function leave(kept: Kept): void {
    const left: Promise<void> = kept.stop().finally(() => leaving.delete(left));
    leaving.add(left);
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      leave(current);
      await Promise.all([watcher.close(), ...leaving]);
    },
  };
}
