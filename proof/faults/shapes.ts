import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { z } from "zod";
import type { RetryPolicy } from "../../lib/engine/steps/retry-policy";
import { type Context, defineWorkflow, type Workflow } from "../../lib/engine/workflows/workflow";
import type { Ledger } from "./memory-ledger";

/** A workflow as data: what fast-check makes up. */
export type Shape =
  | { kind: "step"; effect: "pure" | "idempotent" | "once"; fails: Fails; undo: boolean; ms: number }
  | { kind: "transaction"; fails: Fails; undo: boolean }
  | { kind: "sleep"; ms: number }
  /** `afterMs`: when what it waits for is sent, twice, counted from the start of the run. */
  | { kind: "wait"; by: "run" | "key"; afterMs: number }
  /** A child run of one step. */
  | { kind: "child"; effect: "idempotent" | "once"; fails: Fails }
  | { kind: "sequence" | "parallel"; parts: Shape[] };

/** How often its body throws before it succeeds. */
type Fails = "never" | "once" | "always";

const fails = fc.constantFrom<Fails>("never", "never", "never", "never", "once", "once", "always");

const plainStep = fc
  .record({
    kind: fc.constant("step" as const),
    effect: fc.constantFrom("pure" as const, "idempotent" as const, "once" as const),
    fails,
    undo: fc.boolean(),
    ms: fc.constantFrom(0, 0, 3, 40),
  })
  // A step that must not be repeated is tried once: one failure is its end.
  .map((step) => (step.effect === "once" && step.fails === "once" ? { ...step, fails: "never" as const } : step));

const wait = fc.record({
  kind: fc.constant("wait" as const),
  by: fc.constantFrom("run" as const, "key" as const),
  afterMs: fc.constantFrom(0, 20, 60, 150),
});

const child = fc
  .record({
    kind: fc.constant("child" as const),
    effect: fc.constantFrom("idempotent" as const, "once" as const),
    fails,
  })
  .map((one) => (one.effect === "once" && one.fails === "once" ? { ...one, fails: "never" as const } : one));

export const shapes: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => {
  const leaf = fc.oneof(
    { arbitrary: plainStep, weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant("transaction" as const), fails, undo: fc.boolean() }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant("sleep" as const), ms: fc.integer({ min: 1, max: 40 }) }), weight: 1 },
    { arbitrary: wait, weight: 2 },
    { arbitrary: child, weight: 2 },
  );
  const group = fc.record({
    kind: fc.constantFrom("sequence" as const, "parallel" as const),
    parts: fc.array(tie("shape"), { minLength: 1, maxLength: 4 }),
  });
  return { shape: fc.oneof({ maxDepth: 2, depthIdentifier: "shape" }, leaf, group) };
}).shape;

export const alwaysFails = (shape: Shape): boolean =>
  "parts" in shape ? shape.parts.some(alwaysFails) : "fails" in shape && shape.fails === "always";

/** The waits of a shape, with the names of their steps. */
export function waitsOf(shape: Shape, name = "s"): { name: string; by: "run" | "key"; afterMs: number }[] {
  if ("parts" in shape) return shape.parts.flatMap((part, index) => waitsOf(part, `${name}.${index}`));
  return shape.kind === "wait" ? [{ ...shape, name }] : [];
}

/** The event that a step waits for, and the key that it is sent to, if it is sent to one. */
export const eventOf = (step: string) => `event:${step}`;
export const keyOf = (runId: string, step: string) => `${runId}:${step}`;

const input = z.object({});
const errandInput = z.object({
  name: z.string(),
  effect: z.enum(["idempotent", "once"]),
  fails: z.enum(["never", "once", "always"]),
});
const TRIES = 3;

const errandOf = (name: string, retry: Partial<RetryPolicy>, ledger: Ledger) =>
  defineWorkflow({ name: `${name}-errand`, input: errandInput, retry }, async (ctx, { name: step, effect, fails }) => {
    await performStep(ctx, { kind: "step", effect, fails, undo: false, ms: 3 }, step, ledger);
    ledger.kept(ctx.run, step);
  });
type Errand = ReturnType<typeof errandOf>;

/** The workflow, and that of its children. */
export function toWorkflows(
  name: string,
  shape: Shape,
  onFailure: "stop" | "compensate",
  ledger: Ledger,
): [Workflow, Workflow] {
  const retry = { maxAttempts: TRIES, initialDelayMs: 1, jitter: 0 };
  const errand = errandOf(name, retry, ledger);
  return [defineWorkflow({ name, input, onFailure, retry }, (ctx) => perform(ctx, shape, "s", ledger, errand)), errand];
}

async function perform(ctx: Context, shape: Shape, name: string, ledger: Ledger, errand: Errand): Promise<unknown> {
  switch (shape.kind) {
    case "sequence":
      for (const [index, part] of shape.parts.entries()) await perform(ctx, part, `${name}.${index}`, ledger, errand);
      return;
    case "parallel":
      return Promise.all(shape.parts.map((part, index) => perform(ctx, part, `${name}.${index}`, ledger, errand)));
    case "wait":
      return ctx.waitForEvent(name, {
        event: eventOf(name),
        ...(shape.by === "key" && { key: keyOf(ctx.run.id, name) }),
      });
    case "child":
      return ctx.child(name, errand, { name, effect: shape.effect, fails: shape.fails });
    case "sleep":
      return ctx.sleep(name, shape.ms);
    case "step":
      await performStep(ctx, shape, name, ledger);
      return ledger.kept(ctx.run, name);
    case "transaction":
      await performTransaction(ctx, shape, name, ledger);
      return ledger.kept(ctx.run, name);
  }
}

function performStep(ctx: Context, shape: Shape & { kind: "step" }, name: string, ledger: Ledger): Promise<string> {
  return ctx.step(
    name,
    async ({ idempotencyKey }) => {
      await ledger.begin(ctx.run, name, shape.fails, () => delay(shape.ms));
      ledger.effect(idempotencyKey);
      return name;
    },
    {
      effect: shape.effect,
      ...(shape.undo && { compensate: (_, { idempotencyKey }) => ledger.effect(idempotencyKey) }),
    },
  );
}

function performTransaction(
  ctx: Context,
  shape: Shape & { kind: "transaction" },
  name: string,
  ledger: Ledger,
): Promise<string> {
  return ctx.transaction(
    name,
    async (tx) => {
      await tx.$executeRaw`insert into effect (run_id, step, what) values (${ctx.run.id}::uuid, ${name}, 'done')`;
      await ledger.begin(ctx.run, name, shape.fails, async () => undefined);
      return name;
    },
    shape.undo
      ? {
          compensate: (_, { tx }) =>
            tx.$executeRaw`insert into effect (run_id, step, what) values (${ctx.run.id}::uuid, ${name}, 'undone')`,
        }
      : {},
  );
}
