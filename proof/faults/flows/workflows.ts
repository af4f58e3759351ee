import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { workflows as samples } from "../../../demo/workflows/index";
import { defineEvent } from "../../../lib/engine/events/event";
import { defineSchedule } from "../../../lib/engine/schedules/schedule";
import { NonRetryableError } from "../../../lib/engine/steps/retry-policy";
import type { BlobStore } from "../../../lib/engine/values/blob-store";
import type { StepOptions } from "../../../lib/engine/workflows/step-options";
import { type Context, defineWorkflow } from "../../../lib/engine/workflows/workflow";
import { folderBlobs } from "../../../lib/testing/blobs";
import { workflows as otherRuns } from "../../../lib/testing/workflows/other-run-workflows";
import { seen } from "../body-ledger";

/*
 * What trials run beside the sample workflows: each covers one part of the engine in which others act (senders,
 * operators, parents, schedulers, queues), and the ledger records its bodies.
 */

const input = z.object({ word: z.string() });
/** Whatever is tried again is tried soon. */
const retry = { initialDelayMs: 20, maxAttempts: 6 };

const BODY_MS = 12;

/** A slow body; it stops when it is aborted. */
const work = (ctx: Context, step: string, lane: string, fails = false, options: StepOptions<string> = {}) =>
  ctx.step(
    step,
    ({ signal }) =>
      seen({ runId: ctx.run.id, step, lane }, async () => {
        await delay(BODY_MS, undefined, { signal });
        if (fails) throw new NonRetryableError("It fails for good.");
        return step;
      }),
    options,
  );

/** Runs of one trial have a first word in common. */
export const trialOf = (word: string) => word.split("-")[0] as string;

/**
 * Waits for an event to this run, and for one to any run of its trial; asks a question; and waits for an event that
 * never arrives.
 */
export const listening = defineWorkflow({ name: "listening", input, retry }, async (ctx, { word }) => {
  const [own, shared] = await Promise.all([
    ctx.waitForEvent("own", { event: "told" }),
    ctx.waitForEvent("shared", { event: "shared", key: trialOf(word) }),
  ]);
  const { choice, by } = await ctx.approval("ask", { question: "Which?", choices: ["left", "right"], data: { own } });
  const nobody = await ctx.waitForEvent("never", { event: "never", timeout: 30, default: "nobody" });
  await work(ctx, "after", word);
  return { own, shared, choice, by, nobody };
});

/** Fails for good when its word says so. */
const errand = defineWorkflow({ name: "errand", input, retry }, async (ctx, { word }) => {
  await work(ctx, "run-errand", word, word.endsWith("-fails"));
  return word;
});

export const ERRANDS = ["a", "b", "c", "d-fails"] as const;

/** Starts errands and waits for them, one that fails among them; starts one more and goes on. */
export const gathering = defineWorkflow({ name: "gathering", input, retry }, async (ctx, { word }) => {
  const errands = ERRANDS.map((one) =>
    ctx.child(`errand:${one}`, errand, { word: `${word}-${one}` }).catch((error) => (error as { code: string }).code),
  );
  const results = await Promise.all(errands);
  const left = await ctx.startChild("left", errand, { word: `${word}-left` });
  return { results, left };
});

const longNap = defineWorkflow({ name: "long-nap", input, retry }, async (ctx, { word }) => {
  await work(ctx, "lie-down", word);
  await ctx.sleep("nap", "1d");
});

/** A parent that is cancelled while its children sleep, or before they are there. */
export const abandoned = defineWorkflow({ name: "abandoned", input, retry }, async (ctx, { word }) => {
  await work(ctx, "begin", word);
  await Promise.all(["a", "b"].map((one) => ctx.child(`nap:${one}`, longNap, { word: `${word}-${one}` })));
});

export const CROWD_LIMIT = 2;

/** Never more than two of a trial at once. */
export const crowded = defineWorkflow(
  { name: "crowded", input, retry, concurrency: { limit: CROWD_LIMIT, key: ({ word }) => trialOf(word) } },
  async (ctx, { word }) => {
    await work(ctx, "first", word);
    await ctx.sleep("nap", 20);
    await work(ctx, "second", word);
  },
);

/** Never more than two bodies of a trial at once, of whichever runs and steps. */
export const limited = defineWorkflow({ name: "limited", input, retry }, async (ctx, { word }) => {
  const limit = { name: "of-a-trial", key: trialOf(word), concurrency: CROWD_LIMIT };
  await Promise.all(["left", "right"].map((step) => work(ctx, step, word, false, { limit })));
  await work(ctx, "last", word, false, { limit });
});

export const ITEMS = 6;
export const itemsOf = (word: string) => Array.from({ length: ITEMS }, (_, n) => `${word}-${n}`);

/** Six items in three pages. Each item's body is the only one, in whichever run its page is. */
export const mapping = defineWorkflow({ name: "mapping", input, retry }, async (ctx, { word }) => {
  const options = { pageSize: 2, concurrency: 2, reduce: (done: string[]) => done };
  const { done, failed, parts } = await ctx.mapSteps(
    itemsOf(word),
    "visit",
    async (item, { idempotencyKey, signal }) => {
      const [runId, ...name] = idempotencyKey.split(":");
      const step = name.slice(0, -1).join(":");
      return seen({ runId: runId as string, step, lane: item }, async () => {
        await delay(BODY_MS, undefined, { signal });
        return item;
      });
    },
    options,
  );
  return { done, failed, visited: parts.flat() };
});

/** More than Postgres keeps of a value. */
export const WEIGHT = 1_100_000;

/** Values that lie in a blob store: of a body, of a transaction's commit, and of its end. */
export const weighty = defineWorkflow({ name: "weighty", input, retry }, async (ctx, { word }) => {
  const text = `${word} `.padEnd(WEIGHT, "x");
  const first = await ctx.step("weigh", () => seen({ runId: ctx.run.id, step: "weigh", lane: word }, async () => text));
  const second = await ctx.transaction("keep", async () => first);
  return first === text && second === text ? text : "other bytes";
});

/** Of all processes of a rig. */
const blobStore = () => folderBlobs(process.env.HANDRAIL_FAULT_BLOBS as string);
export const blobs: BlobStore = {
  put: (...given) => blobStore().put(...given),
  get: (...given) => blobStore().get(...given),
  delete: (...given) => blobStore().delete(...given),
};

/** One live run of each word. */
export const alone = defineWorkflow(
  { name: "alone", input, retry, singleton: { key: ({ word }) => word } },
  async (ctx) => {
    await ctx.sleep("nap", 50);
  },
);

/** One live run and one start of each word. */
export const onceADay = defineWorkflow(
  {
    name: "once-a-day",
    input,
    retry,
    singleton: { key: ({ word }) => word },
    throttle: { limit: 1, perMs: 86_400_000, key: ({ word }) => word },
  },
  async (ctx, { word }) => work(ctx, "only", word),
);

/** Is paused somewhere in it, and resumed. */
export const interrupted = defineWorkflow({ name: "interrupted", input, retry }, async (ctx, { word }) => {
  for (const step of ["one", "two", "three"]) {
    await work(ctx, step, word);
    await ctx.sleep(`after-${step}`, 15);
  }
});

/** Started by its schedule alone. */
export const punctual = defineWorkflow({ name: "punctual", input: z.object({}), retry }, async (ctx) => {
  await work(ctx, "strike", ctx.run.scheduledAt?.toISOString() ?? "unscheduled");
});

export const rung = defineEvent({ name: "rung", payload: input });

/** Begins with each event. */
export const answering = defineWorkflow({ name: "answering", input, retry, on: rung }, async (ctx, { word }) => {
  await work(ctx, "answer", word);
});

export const HOUR_MS = 3_600_000;

/** Everything that was missed is made up for, by the first worker. */
export const hourly = defineSchedule({
  name: "hourly",
  workflow: punctual,
  everyMs: HOUR_MS,
  input: {},
  overlap: "allow",
  missed: "all",
});

export const workflows = [
  ...samples,
  ...otherRuns,
  ...[
    listening,
    errand,
    gathering,
    longNap,
    abandoned,
    crowded,
    limited,
    mapping,
    weighty,
    alone,
    onceADay,
    interrupted,
    answering,
    punctual,
  ],
];
export const schedules = [hourly];
