import type { Mutant } from "../mutant";

const ASKED = "lib/worker/passes/step-calls.db.test.ts";
const OWN_COMMIT = "lib/worker/transactions/own-commit.db.test.ts";

/** What authors do by mistake in bodies and between steps. */
export const authoring: Mutant[] = [
  {
    name: "nested-call-allowed",
    promise: "P3",
    breaks: "A step may begin inside of another step's body.",
    file: "lib/worker/steps/running-body.ts",
    find: "if (!here) return undefined;",
    replace: "if (here || !here) return undefined;",
    killedBy: [ASKED],
  },
  {
    name: "nested-call-forgiven-when-caught",
    promise: "P3",
    breaks: "A body that catches the refusal of a nested step, or does not await it, completes.",
    file: "lib/worker/steps/running-body.ts",
    find: "if (!here.over) here.misuse ??= error;",
    replace: "",
    killedBy: [ASKED],
  },
  {
    name: "body-leads-into-the-next-code",
    promise: "P1",
    breaks: "A run whose start came from a body is taken for a part of that body.",
    file: "lib/worker/steps/running-body.ts",
    find: "running.run(undefined, code)",
    replace: "code()",
    killedBy: [ASKED],
  },
  {
    name: "unawaited-step-unnoticed",
    promise: "P3",
    breaks: "A run completes although its code did not await one of its steps.",
    file: "lib/worker/passes/run-code.ts",
    find: "  calls.assertAwaited();\n",
    replace: "",
    killedBy: [ASKED],
  },
  {
    name: "awaited-step-unheard",
    promise: "P1",
    breaks: "A step that was awaited counts as forgotten.",
    file: "lib/worker/passes/step-calls.ts",
    find: "this.onAwaited?.();",
    replace: "",
    killedBy: [ASKED],
  },
  {
    name: "middleware-begins-late-bodies",
    promise: "P3",
    breaks: "A body begins after its attempt timed out, beside the body of the next attempt.",
    file: "lib/worker/steps/around.ts",
    find: "call.signal.throwIfAborted();",
    replace: "",
    killedBy: ["lib/worker/steps/middleware.db.test.ts"],
  },
  {
    name: "checkpoint-outside-its-transaction",
    promise: "P2",
    breaks: "A body that committed or rolled back by itself is kept as completed.",
    file: "lib/store/steps/record-step.ts",
    find: 'isInTransaction("$25")',
    replace: '"$25::text is not null"',
    killedBy: [OWN_COMMIT],
  },
  {
    name: "own-commit-tried-again",
    promise: "P2",
    breaks: "A body that committed by itself and then failed is tried again, and writes its rows again.",
    file: "lib/worker/transactions/own-transaction.ts",
    find: 'if (status !== "committed" && !(error instanceof OutsideTransaction)) return undefined;',
    replace: "if (!(error instanceof OutsideTransaction)) return undefined;",
    killedBy: [OWN_COMMIT],
  },
  {
    name: "undo-outside-its-transaction",
    promise: "P2",
    breaks: "A compensation that committed by itself is kept as completed.",
    file: "lib/worker/compensations/compensate-run.ts",
    find: "await assertInside(tx, trace);",
    replace: "",
    killedBy: [OWN_COMMIT],
  },
];
