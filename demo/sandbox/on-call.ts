import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { readJson } from "./refusal";
import { type Answer, aDesk, CHANNEL, TOKENS } from "./services";
import { type Http, settled, troubled, type World } from "./trouble";

/** What the demo has of them. */
const HERE = ["slack", "pagerduty"] as const;

interface Request {
  service: (typeof HERE)[number];
  /** Below the service's own address. */
  path: string;
  authorization: string;
  body: unknown;
}

/** What each hands out to its customer. */
const SET_UP = [
  { kind: "slack", name: "Slack of the sandbox", token: TOKENS.slack, channel: CHANNEL },
  { kind: "pagerduty", name: "PagerDuty of the sandbox", token: TOKENS.pagerduty, channel: null },
];

/** Older ones are not shown. */
const SHOWN = 50;

/**
 * A chat and a paging service, which take what the published references of Slack and PagerDuty allow; what they refuse
 * is kept for inspection. A fault of the webhooks' receiver meets them, too.
 */
export async function openOnCall(world: World) {
  const desk = aDesk();
  const summaries = new Map<string, string>();
  const refused: { service: string; because: string }[] = [];
  let answer: Answer = { status: 500, body: {} };
  const journal = await world.journals.open<Request>("on-call", ({ service, path, authorization, body }) => {
    try {
      answer = desk.take[service](path, body, authorization);
      const { dedup_key: key, payload } = body as { dedup_key?: string; payload?: { summary: string } };
      if (key !== undefined && payload) summaries.set(key, payload.summary);
    } catch (error) {
      answer = { status: 400, body: { status: "invalid event" } };
      refused.push({ service, because: String(error) });
    }
  });
  const routes = new Hono<Http>().get("/", settled(journal), (c) =>
    c.json({
      alerts: desk.alerts.slice(-SHOWN).map((alert) => ({ ...alert, summary: summaries.get(alert.key) ?? alert.key })),
      posts: desk.posts.slice(-SHOWN),
      refused: refused.slice(-SHOWN),
    }),
  );
  routes.get("/set-up", (c) => c.json(SET_UP));
  for (const service of HERE)
    routes.post(`/${service}/*`, troubled(world, "webhooks"), settled(journal), async (c) => {
      const path = c.req.path.replace(/^.*?\/(slack|pagerduty)(?=\/)/, "");
      const body = await readJson(c, z.unknown());
      journal.record({ service, path, authorization: c.req.header("authorization") ?? "", body });
      return c.json(answer.body, answer.status as ContentfulStatusCode);
    });
  return routes;
}
