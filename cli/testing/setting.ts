import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../lib/engine/events/event";
import { defineSchedule } from "../../lib/engine/schedules/schedule";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { fireRule } from "../../lib/testing/alerts";
import { OTLP_PATH, requestOf, type SentSpan } from "../../lib/testing/api/otlp";
import { aConsole } from "../../lib/testing/cli/a-console";
import { handrail } from "../../lib/testing/cli/handrail";
import { until } from "../../lib/testing/until";

/*
 * The console that all cases of the command line share, and what they do with it beside the program. Call `openSetting`
 * at the top of the test.
 */

export const MAIN = "cli/main.ts";
export const ESCAPE = "\u001b";
const seen = defineEvent({ name: "parcel.seen", payload: z.object({ at: z.string() }) });

/** What a step answers is cut from its error: an input that would paint the terminal red. */
const RED = `${ESCAPE}[31m`;
/** What `charge` calls. */
export const gateway = { isDown: true };

const greet = defineWorkflow(
  {
    name: "greet",
    input: z.object({ name: z.string(), card: z.string().optional() }),
    masked: ["card"],
    tags: ({ name }) => ({ name }),
  },
  async (ctx, { name }) => {
    ctx.log(`greets ${name}`);
    const said = await ctx.step("say", async () => ({ hello: name }), { reference: () => `ref-${name}` });
    await ctx.publish("greeting", `Hello, ${name}`);
    return said;
  },
);
const charge = defineWorkflow(
  { name: "charge", input: z.object({ name: z.string() }), tags: ({ name }) => ({ name }), retry: { maxAttempts: 1 } },
  (ctx) =>
    ctx.step("pay", async () => {
      if (gateway.isDown) throw new Error(`card ${RED}declined`);
      return "paid";
    }),
);
const asks = defineWorkflow({ name: "asks", input: z.object({}) }, async (ctx) => {
  const { choice } = await ctx.approval("go-on", { question: "Go on?", choices: ["yes", "no"] });
  return choice;
});
const parcel = defineWorkflow(
  { name: "parcel", input: z.object({ key: z.string() }), events: [seen] },
  async (ctx, { key }) => {
    ctx.log(`waits for ${key}`);
    ctx.progress(1, 3, "parcels");
    const { at } = await ctx.waitForEvent("seen", { event: seen, key });
    return at;
  },
);
const reports = defineWorkflow({ name: "reports", input: z.object({}) }, async (ctx) => {
  const pages = await ctx.step("write", () => "page ".repeat(300_000), { effect: "pure" });
  return pages.length;
});
const hourly = defineSchedule({ name: "hourly", workflow: greet, everyMs: 3_600_000, input: { name: "hour" } });

let site: Awaited<ReturnType<typeof aConsole>>;

export function openSetting(): void {
  beforeAll(async () => {
    site = await aConsole([greet, charge, asks, parcel, reports], [hourly]);
  });
  afterAll(() => site.close());
}

export const aSite = () => site;
/** Of a program that asks this console. */
export const siteEnv = () => ({ HANDRAIL_URL: site.url });

export const cli = (...args: string[]) => handrail(args, { env: siteEnv() });
/** Which has to succeed. */
export async function json(...args: string[]) {
  const { code, out, err } = await cli(...args, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

export const api = async (path: string) => (await fetch(`${site.url}/api${path}`)).json();
export async function start(workflow: string, input: object): Promise<string> {
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const body = JSON.stringify({ workflow, input });
  const answer = await fetch(`${site.url}/api/v1/runs`, { method: "POST", headers, body });
  return ((await answer.json()) as { id: string }).id;
}
/** As an SDK sends them. */
export async function receiveSpans(spans: SentSpan[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const sent = await fetch(`${site.url}/api${OTLP_PATH}`, {
    method: "POST",
    headers,
    body: JSON.stringify(requestOf(spans)),
  });
  expect(sent.status).toBe(200);
}
export const untilStatus = (id: string, status: string) =>
  until(`run ${id} being ${status}`, async () => (await api(`/v1/runs/${id}`)).status === status);
/** A run of `parcel`, which waits for its event. */
export async function waiting(key: string): Promise<string> {
  const id = await start("parcel", { key });
  await untilStatus(id, "waiting");
  return id;
}
/** A run of `charge`. */
export async function failed(name: string): Promise<string> {
  const id = await start("charge", { name });
  await untilStatus(id, "failed");
  return id;
}

/** The rule fires, and does not resolve while the tests look. */
export const fireAlert = (rule: string) => fireRule(site.db, rule);
