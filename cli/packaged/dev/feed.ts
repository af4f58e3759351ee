import { createHandrail } from "../../../lib/library/create-handrail";
import { readRun } from "../../../lib/operator/runs/reads";
import type { RunView } from "../../../lib/operator/runs/run-view";
import type { Screen } from "../../output/screen";
import { RunLines } from "./run-lines";

/** Bursts are printed together, and no more than this many runs of one. */
const GATHER_MS = 150;
const MOST_RUNS = 20;
const MOST_STEPS = 200;

interface Addresses {
  databaseUrl: string;
  directUrl: string;
}

/** Prints each run, and each of its steps, as it happens: by the notifications that the console listens to. */
export async function openFeed(
  screen: Screen,
  folder: string,
  addresses: Addresses,
): Promise<{ stop(): Promise<void> }> {
  const handrail = createHandrail({ workflows: [], ...addresses, name: "dev", log: SILENT });
  const { db, feed } = await handrail.serving();
  const lines = new RunLines(screen.paint, folder, new Date());
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let printing = Promise.resolve();

  const print = async () => {
    const ids = [...changed];
    changed.clear();
    for (const id of ids.slice(0, MOST_RUNS)) {
      // A read that fails, or a run that is gone, is not what this terminal is for.
      const run: RunView | undefined = await readRun(db, id, { steps: MOST_STEPS }).catch(() => undefined);
      for (const line of run ? lines.of(run) : []) screen.line(line);
    }
    if (ids.length > MOST_RUNS) screen.line(screen.paint("gray", `… and ${ids.length - MOST_RUNS} more runs changed`));
  };
  const stopListening = feed.listen({
    by: null,
    onChange: ({ runIds }) => {
      for (const id of runIds) changed.add(id);
      timer ??= setTimeout(() => {
        timer = undefined;
        printing = printing.then(print);
      }, GATHER_MS);
    },
    onResync: () => undefined,
    onClose: () => undefined,
  });
  return {
    async stop() {
      stopListening();
      clearTimeout(timer);
      await printing;
      await handrail.close();
    },
  };
}

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
