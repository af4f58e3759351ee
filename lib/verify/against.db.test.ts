import { expect, inject, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow } from "../engine/workflows/workflow";
import { formatReport, verifyWorkflow } from "./verify";

const databaseUrl = inject("postgresUrl");
/** For a busy machine. */
const LONG = { timeout: 300_000 };

const orderInput = z.object({ orderId: z.string(), email: z.string() });

// As docs/verify.md shows it.
const released = defineWorkflow({ name: "order-placed", input: orderInput }, async (ctx, { orderId, email }) => {
  const { payments, mail } = ctx.services;
  const charge = await ctx.step("charge", (body) => payments.charge({ orderId, amountCents: 4_900 }, body));
  const text = `Your charge is ${charge.id}.`;
  await ctx.step("confirm", (body) => mail.send({ to: email, subject: orderId, text }, body.idempotencyKey));
});

/** Providers that honour keys. */
function aWorld() {
  const charges = new Map<string, string>();
  const mails = new Map<string, string>();
  const payments = {
    charge: async ({ orderId }: { orderId: string }, { idempotencyKey }: { idempotencyKey: string }) => {
      charges.set(idempotencyKey, orderId);
      return { id: `charge of ${orderId}` };
    },
  };
  const mail = {
    send: async ({ text }: { text: string }, key: string) => {
      mails.set(key, text);
      return { messageId: key };
    },
  };
  return {
    services: { payments, mail },
    observe: () => ({ charges: [...charges.values()], mails: [...mails.values()] }),
  };
}

const inputs = [{ orderId: "A-1", email: "ada@example.com" }];
const given = { databaseUrl, inputs, world: aWorld, budget: "5m" } as const;

/** The next build of it. */
const next = (
  code: (ctx: Context, orderId: string) => Promise<void>,
  options: { version?: number; drift?: "stop" | "go_on" } = {},
) => defineWorkflow({ name: "order-placed", input: orderInput, ...options }, (ctx, { orderId }) => code(ctx, orderId));

const verified = (workflow: ReturnType<typeof next>, only: { trial?: number } = {}) =>
  verifyWorkflow(workflow, { ...given, against: released, ...only });

const charge = (ctx: Context, orderId: string, step = "charge") =>
  ctx.step(step, (body) => ctx.services.payments.charge({ orderId, amountCents: 4_900 }, body));
const confirm = (ctx: Context, text: string, step = "confirm") =>
  ctx.step(step, (body) => ctx.services.mail.send({ to: "ada@example.com", subject: "", text }, body.idempotencyKey));
const thanks = (id: string) => `Your charge is ${id}.`;

it.each([1, 2])("a step behind the others is safe, as version %d", LONG, async (version) => {
  const longer = next(
    async (ctx, orderId) => {
      await confirm(ctx, thanks((await charge(ctx, orderId)).id));
      await confirm(ctx, "How was it?", "survey");
    },
    { version },
  );
  const report = await verified(longer);
  expect(report).toMatchObject({ findings: [], against: 1 });
  const deploys = report.trials.filter(({ faults }) => faults[0]?.kind === "deploy");
  expect(deploys.length).toBeGreaterThan(10);
  expect(new Set(deploys.map(({ verdict }) => verdict))).toEqual(new Set(["as_without_faults"]));
  expect(formatReport(report)).toContain(`order-placed v${version} against v1 · 3 steps`);
});

const renaming = async (ctx: Context, orderId: string) =>
  void (await confirm(ctx, thanks((await charge(ctx, orderId, "charge-card")).id)));

it(
  "a step that has another name is drift, and happens twice if the older one's outcome was not recorded",
  LONG,
  async () => {
    const { findings } = await verified(next(renaming));
    expect(findings).toMatchObject([
      { kind: "twice", faults: ["this build replaces the older one after the body, before its record"] },
      { kind: "drifted", faults: [expect.stringContaining("(charge)")] },
    ]);
  },
);

it("and happens twice where drift may go on; its trial is run again by its number", LONG, async () => {
  const renamed = next(renaming, { drift: "go_on" });
  const report = await verified(renamed);
  expect(report.findings).toMatchObject([
    { kind: "twice", step: "charge-card", seen: "happened twice (charges: 2 instead of 1)" },
  ]);
  expect(report.findings[0]?.line).toMatch(/against\.db\.test\.ts:\d+$/);
  const trial = report.findings[0]?.trial as number;
  const again = await verified(renamed, { trial });
  expect(again.trials.at(-1)).toMatchObject({ number: trial, verdict: "finding" });
  expect(formatReport(again)).toContain(`--trial ${trial} --against <older build>`);
});

it("what is done in a step that the older build has done already never happens", LONG, async () => {
  const merged = next(
    async (ctx, orderId) => {
      const { payments, mail } = ctx.services;
      await ctx.step("charge", async (body) => {
        const { id } = await payments.charge({ orderId, amountCents: 4_900 }, body);
        await mail.send({ to: "ada@example.com", subject: orderId, text: thanks(id) }, body.idempotencyKey);
      });
    },
    { version: 2 },
  );
  const { findings } = await verified(merged);
  expect(findings).toMatchObject([
    { kind: "never", seen: "never happened, although the run completed (mails: 0 instead of 1)" },
    { kind: "drifted", seen: expect.stringContaining('ends without step "confirm"') },
  ]);
});

it("a step's result in another form makes the run fail", LONG, async () => {
  const other = next(
    async (ctx, orderId) => {
      const { receipt } = await ctx.step("charge", async (body) => ({
        receipt: await ctx.services.payments.charge({ orderId, amountCents: 4_900 }, body),
      }));
      await confirm(ctx, thanks(receipt.id));
    },
    { version: 2 },
  );
  const { findings } = await verified(other);
  expect(findings).toMatchObject([{ kind: "fails", seen: expect.stringMatching(/^the run ends as failed: .*id/) }]);
});

it("the older build's children go on with this build's", LONG, async () => {
  const family = (suffix: string) => {
    const child = defineWorkflow({ name: "payment", input: z.object({ orderId: z.string() }) }, (ctx, { orderId }) =>
      charge(ctx, orderId, `charge${suffix}`),
    );
    return next(async (ctx, orderId) => void (await ctx.child("payment", child, { orderId })));
  };
  expect(await verifyWorkflow(family(""), { ...given, against: family("") })).toMatchObject({ findings: [] });
  const { findings } = await verifyWorkflow(family("-2"), { ...given, against: family("") });
  expect(findings.length).toBeGreaterThan(0);
});

it("an older build that does not complete is said so", LONG, async () => {
  const broken = next(async () => Promise.reject(new Error("out of paper")));
  const report = await verifyWorkflow(released, { ...given, against: broken });
  expect(report.findings).toMatchObject([
    { kind: "fails", seen: "in the older build, without faults, the run fails: out of paper", line: null },
  ]);
});

it("another workflow, or a newer version, is refused", async () => {
  const another = defineWorkflow({ name: "another", input: z.object({}) }, async () => undefined);
  await expect(verifyWorkflow(released, { ...given, against: another })).rejects.toThrow(
    'against: is "another", and no older build of "order-placed".',
  );
  const newer = next(async () => undefined, { version: 3 });
  await expect(verifyWorkflow(released, { ...given, against: newer })).rejects.toThrow(
    'against: has version 3 of "order-placed", and this build has 1',
  );
});
