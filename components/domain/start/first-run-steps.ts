import type { WorkflowView } from "@/lib/api/contract/responses";
import { newestOfEach } from "./newest-of-each";
import { sampleInput } from "./sample-input";

interface FirstRunFacts {
  /** Live workers; null where the user may not read how many. */
  live: number | null;
  workflows: WorkflowView[];
  /** Where this console is, such as `http://127.0.0.1:3000`. */
  origin: string;
}

/** What is true of an installation without a run, and the command that starts its first one. */
export function firstRunSteps({ live, workflows, origin }: FirstRunFacts) {
  const known = newestOfEach(workflows);
  const ready = known.filter(({ workers }) => workers > 0);
  const first = ready[0] ?? known[0];
  return {
    connected: live === null ? ready.length > 0 : live > 0,
    known,
    /** Some worker has it: the run begins at once. */
    ready: ready.length > 0,
    command: first ? startCommand(first, origin) : null,
  };
}

/** Where the command line looks for a console that is not named. */
const USUAL_ORIGIN = "http://127.0.0.1:3000";

function startCommand({ name, inputSchema }: WorkflowView, origin: string): string {
  const input = inShell(JSON.stringify(sampleInput(inputSchema)));
  const url = origin === USUAL_ORIGIN ? "" : ` --url ${origin}`;
  return `npx handrail runs start ${/^[\w.:-]+$/.test(name) ? name : inShell(name)} --input ${input}${url}`;
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
