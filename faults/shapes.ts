import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { z } from "zod";
import { type Context, defineWorkflow, type Workflow } from "../lib/engine/workflow";
import type { Ledger } from "./memory-ledger";

/** A workflow as data: what fast-check makes up. */
export type Shape =
  | { kind: "step"; effect: "pure" | "idempotent" | "once"; fails: Fails; undo: boolean; ms: number }
  | { kind: "transaction"; fails: Fails; undo: boolean }
  | { kind: "sleep"; ms: number }
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

export const shapes: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => {
  const leaf = fc.oneof(
    { arbitrary: plainStep, weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant("transaction" as const), fails, undo: fc.boolean() }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant("sleep" as const), ms: fc.integer({ min: 1, max: 40 }) }), weight: 1 },
  );
  const group = fc.record({
    kind: fc.constantFrom("sequence" as const, "parallel" as const),
    parts: fc.array(tie("shape"), { minLength: 1, maxLength: 4 }),
  });
  return { shape: fc.oneof({ maxDepth: 2, depthIdentifier: "shape" }, leaf, group) };
}).shape;

export const alwaysFails = (shape: Shape): boolean =>
  "parts" in shape ? shape.parts.some(alwaysFails) : "fails" in shape && shape.fails === "always";

const input = z.object({});
const TRIES = 3;

export function toWorkflow(name: string, shape: Shape, onFailure: "stop" | "compensate", ledger: Ledger): Workflow {
  const retry = { maxAttempts: TRIES, initialDelayMs: 1, jitter: 0 };
  return defineWorkflow({ name, input, onFailure, retry }, (ctx) => perform(ctx, shape, "s", ledger));
}

async function perform(ctx: Context, shape: Shape, name: string, ledger: Ledger): Promise<unknown> {
  switch (shape.kind) {
    case "sequence":
      for (const [index, part] of shape.parts.entries()) await perform(ctx, part, `${name}.${index}`, ledger);
      return;
    case "parallel":
      return Promise.all(shape.parts.map((part, index) => perform(ctx, part, `${name}.${index}`, ledger)));
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
