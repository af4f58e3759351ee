import type { Mutant } from "../mutant";

const NOTIFIER = "lib/store/database/notifier.db.test.ts";
const ENDS_HEARD = "lib/worker/claims/ends-heard.db.test.ts";
const END_WAITS = "lib/operator/changes/end-waits.db.test.ts";
const STREAM = "lib/api/http/change-stream.test.ts";

/** Waiters are notified at once; a lost notification costs time only. */
export const notes: Mutant[] = [
  {
    name: "ends-wait-for-the-clock",
    promise: "P1",
    breaks: "An end is gathered with progress.",
    file: "lib/worker/claims/publish-end.ts",
    find: "if (AWAITED.has(end) || needsAttention)",
    replace: "if (false)",
    killedBy: [ENDS_HEARD],
  },
  {
    name: "questions-wait-for-the-clock",
    promise: "P1",
    breaks: "A run that begins to need attention is published as progress.",
    file: "lib/worker/claims/claim.ts",
    find: 'this.needsAttention = run.to === "waiting" && run.attention !== null;',
    replace: "",
    killedBy: [ENDS_HEARD],
  },
  {
    name: "work-waits-for-the-clock",
    promise: "P1",
    breaks: "A second start waits for the clock after the first one's note.",
    file: "lib/store/database/notifier.ts",
    find: "this.workNotes = new Coalescer(() => sendWork(db));",
    replace: "this.workNotes = new Coalescer(() => sendWork(db), gatherMs);",
    killedBy: [NOTIFIER],
  },
  {
    name: "streams-wait-for-the-clock",
    promise: "P1",
    breaks: "A stream of changes keeps an end back until its interval has passed.",
    file: "lib/api/http/change-stream.ts",
    find: "await this.nap(early, () => this.closed || this.urgent);",
    replace: "await this.nap(early, () => this.closed);",
    killedBy: [STREAM],
  },
  {
    name: "a-read-for-each-who-waits",
    promise: "P1",
    breaks: "Each waiter for an end reads the row alone.",
    file: "lib/operator/changes/end-waits.ts",
    find: "const READ_AT_ONCE = 1_000;",
    replace: "const READ_AT_ONCE = 1;",
    killedBy: [END_WAITS],
  },
  {
    name: "end-before-listening-is-missed",
    promise: "P1",
    breaks: "What happened while the listening connection was made is not looked for.",
    file: "lib/operator/changes/change-feed.ts",
    find: "onConnect: () => this.notify(undefined),",
    replace: "onConnect: () => undefined,",
    killedBy: [END_WAITS],
  },
  {
    name: "lost-note-loses-the-wait",
    promise: "P1",
    breaks: "A waiter for an end receives it by a note or not at all.",
    file: "lib/operator/changes/end-waits.ts",
    find: "this.poll = setInterval(() => this.look(this.waits.keys()), this.pollMs);",
    replace: "",
    killedBy: [END_WAITS],
  },
  {
    name: "long-polls-deaf-to-work",
    promise: "P1",
    breaks: "A worker over HTTP that waits for a run finds it at its next check only.",
    file: "lib/operator/changes/change-feed.ts",
    find: "for (const listener of this.listeners) listener.onWork?.();",
    replace: ";",
    killedBy: [END_WAITS],
  },
];
