import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../demo/services/app-services";
import { createPrisma } from "../../demo/services/prisma";
import { prismaTransactions } from "../adapters/prisma";
import { prepareStart } from "../engine/runs/start";
import { defineWorkflow } from "../engine/workflows/workflow";
import { clientDb } from "../store/db";
import { insertRunOnce } from "../store/runs/start-run";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { blocksOf, fileText, snippetsOf } from "../testing/doc-snippets";
import { TestEngine } from "./test-engine";

// --- what docs/tutorial.md shows

const newsletterSignup = defineWorkflow(
  {
    name: "newsletter-signup",
    title: "Newsletter signup",
    input: z.object({ email: z.email() }),
    tags: ({ email }) => ({ email }),
  },
  async (ctx, { email }) => {
    // The row and the step's checkpoint commit together: one is never there without the other.
    const subscriberId = await ctx.transaction(
      "create-subscriber",
      async (tx) => {
        const rows = await tx.$queryRaw<
          { id: number }[]
        >`insert into subscriber (email) values (${email}) returning id`;
        return rows[0]?.id ?? 0;
      },
      {
        reference: (id) => `subscriber ${id}`,
        compensate: (id, { tx }) => tx.$executeRaw`delete from subscriber where id = ${id}`,
      },
    );
    // Nothing keeps a mail from going twice: should its answer be lost, a person is asked and nothing is sent again.
    await ctx.step(
      "send-welcome",
      ({ idempotencyKey }) =>
        ctx.services.mail.send({ to: email, subject: "Welcome", text: "Good to have you." }, idempotencyKey),
      { effect: "once", reference: ({ messageId }) => messageId, timeoutMs: 30_000 },
    );
    await ctx.sleep("a-week", "7d");
    await ctx.transaction(
      "mark-stayed",
      (tx) => tx.$executeRaw`update subscriber set stayed_at = now() where id = ${subscriberId}`,
    );
    return { subscriberId };
  },
);

async function signUp(client: PoolClient, email: string): Promise<string> {
  await client.query("begin");
  await client.query("insert into signup_form (email) values ($1)", [email]);
  const start = await prepareStart(newsletterSignup, { email }, { idempotencyKey: `signup:${email}` });
  const { id } = await insertRunOnce(clientDb(client), start);
  await client.query("commit");
  return id;
}

it("welcomes once, and marks remaining customers", async () => {
  const runId = await engine.start(newsletterSignup, { email: "ada@example.com" });
  engine.dieAt("transaction:after-commit", "create-subscriber");
  await engine.advance("8d");
  expect(await engine.run(runId)).toMatchObject({ status: "completed" });
  expect(mails).toEqual(["ada@example.com"]);
  expect(await subscribers()).toMatchObject([{ email: "ada@example.com", stayed_at: expect.any(Date) }]);
});

// --- the rest

const mails: string[] = [];
const services = {
  ...appServices,
  mail: {
    send: async ({ to }: { to: string }) => {
      mails.push(to);
      return { messageId: `<${mails.length}@test>` };
    },
  },
};

let database: TestDatabase;
let engine: TestEngine;
const subscribers = async () => (await database.pool.query("select * from subscriber order by id")).rows;

beforeAll(async () => {
  database = await createTestDatabase();
  const page = blocksOf("tutorial.md", "sql");
  expect(page).toHaveLength(1);
  await database.pool.query(`${page[0]}; create table signup_form (email text)`);
  engine = await TestEngine.start({
    databaseUrl: database.url,
    workflows: [newsletterSignup],
    services,
    transactions: (pool) => prismaTransactions(createPrisma(pool)),
  });
});
afterAll(async () => {
  await engine.stop();
  await database.drop();
});

it("is killed in between, and the row exists once", async () => {
  expect(engine.deaths).toBe(1);
  expect(await subscribers()).toHaveLength(1);
});

it("starts in the transaction of a form, once for its key", async () => {
  const client = await database.pool.connect();
  const first = await signUp(client, "grace@example.com");
  expect(await signUp(client, "grace@example.com")).toBe(first);
  client.release();
  await engine.drain();
  expect(await engine.run(first)).toMatchObject({ status: "waiting", waitingFor: { kind: "timer" } });
});

it("this file has every snippet of the page", () => {
  const here = fileText(import.meta.url);
  const snippets = snippetsOf("tutorial.md");
  expect(snippets).toHaveLength(3);
  for (const snippet of snippets) expect(here).toContain(snippet.replace(/^export/, ""));
});
