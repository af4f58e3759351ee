import type { Child } from "../../../scripts/launch/child";
import { startChild } from "../../../scripts/launch/children";

/** What `handrail worker` reports to the process that has started it. */
export interface WorkerReport {
  /** The files of the app that it has loaded, absolute. Empty for JavaScript, which Node loads and lists nowhere. */
  loaded: string[];
  /** The names of its workflows: it takes runs now. */
  workflows: string[];
}

interface Given {
  folder: string;
  config: string;
  env: Record<string, string>;
  onReport?: (report: WorkerReport, pid: number) => void;
}

/** Room for garbage, in megabytes: as the launcher of the repository starts workers. */
const YOUNG_GENERATION_MB = 32;

/** `handrail worker` in its own process. */
export function startWorker({ folder, config, env, onReport }: Given): Child {
  const command = process.argv[1] as string;
  return startChild("worker", {
    args: [`--max-semi-space-size=${YOUNG_GENERATION_MB}`, command, "worker", "--config", config],
    cwd: folder,
    env,
    output: "shown",
    onMessage: (message, pid) => onReport?.(message as WorkerReport, pid),
  });
}
