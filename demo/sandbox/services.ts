import { z } from "zod";

/*
 * Slack, PagerDuty, Opsgenie and Teams, as far as Handrail uses them: what a request may hold, by their published
 * references, the answers, and what becomes of an alert. Strict: a field that the reference does not have is refused.
 */

export type ServiceKind = "slack" | "pagerduty" | "opsgenie" | "teams";

export interface Alert {
  key: string;
  states: string[];
}
export interface Post {
  ts: string;
  thread: string | null;
  text: string;
}

export const TOKENS = {
  slack: "xoxb-1234567890-abcdefghij",
  pagerduty: "0123456789abcdef0123456789abcdef",
  opsgenie: "eb243592-faa2-4ba2-a551-1afdf565c889",
  teams: null,
} as const;
export const CHANNEL = "C0123ABC";
export const TEAMS_PATH = "/workflows/abc/triggers/manual/paths/invoke?sig=def";

/** https, but on this machine. */
const url = z
  .url({ protocol: /^https?$/ })
  .max(3_000)
  .refine((text) => text.startsWith("https:") || /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(text));
const mrkdwn = (most: number) =>
  z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(most), verbatim: z.boolean().optional() });
const plain = (most: number) => z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(most) });
/** https://docs.slack.dev/reference/block-kit/blocks */
const slackBlock = z.union([
  z.strictObject({ type: z.literal("section"), text: mrkdwn(3_000) }),
  z.strictObject({ type: z.literal("section"), fields: z.array(mrkdwn(2_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal("context"), elements: z.array(plain(3_000)).min(1).max(10) }),
  z.strictObject({
    type: z.literal("actions"),
    elements: z
      .array(z.strictObject({ type: z.literal("button"), text: plain(75), url }))
      .min(1)
      .max(25),
  }),
]);
const slackMessage = {
  channel: z.string().regex(/^[CGD][A-Z0-9]+$/),
  text: z.string().min(1).max(4_000),
  blocks: z.array(slackBlock).min(1).max(50),
};
const slackTs = z.string().regex(/^\d{10}\.\d{6}$/);
/** https://docs.slack.dev/reference/methods/chat.postMessage and chat.update */
const slackPost = z.strictObject({
  ...slackMessage,
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  thread_ts: slackTs.optional(),
  reply_broadcast: z.boolean().optional(),
});
const slackUpdate = z.strictObject({ ...slackMessage, ts: slackTs });

const pagerDutyKeys = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) };
/** https://developer.pagerduty.com/docs/send-alert-event */
const pagerDutyEvent = z.discriminatedUnion("event_action", [
  z.strictObject({
    ...pagerDutyKeys,
    event_action: z.literal("trigger"),
    client: z.string().optional(),
    client_url: url.optional(),
    links: z.array(z.strictObject({ href: url, text: z.string() })).optional(),
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime().optional(),
      class: z.string().optional(),
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  z.strictObject({ ...pagerDutyKeys, event_action: z.enum(["acknowledge", "resolve"]) }),
]);

/** https://docs.opsgenie.com/docs/alert-api */
const opsgenieAlert = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().min(1).max(512),
  description: z.string().max(15_000).optional(),
  tags: z.array(z.string().max(50)).max(20).optional(),
  details: z
    .record(z.string(), z.string())
    .refine((details) => JSON.stringify(details).length <= 8_000)
    .optional(),
  source: z.string().max(100).optional(),
  priority: z.enum(["P1", "P2", "P3", "P4", "P5"]).optional(),
});
const opsgenieAct = z.strictObject({ source: z.string().max(100).optional(), note: z.string().max(25_000).optional() });

/** https://adaptivecards.io/schemas/adaptive-card.json, and the message around it */
const cardElement = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("TextBlock"),
    text: z.string(),
    weight: z.enum(["Default", "Lighter", "Bolder"]).optional(),
    size: z.enum(["Default", "Small", "Medium", "Large", "ExtraLarge"]).optional(),
    color: z.enum(["default", "dark", "light", "accent", "good", "warning", "attention"]).optional(),
  }),
  z.strictObject({
    type: z.literal("RichTextBlock"),
    spacing: z.enum(["None", "Small", "Default", "Medium", "Large"]).optional(),
    inlines: z.array(
      z.strictObject({ type: z.literal("TextRun"), text: z.string(), isSubtle: z.boolean().optional() }),
    ),
  }),
]);
const teamsMessage = z.strictObject({
  type: z.literal("message"),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal("application/vnd.microsoft.card.adaptive"),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
          type: z.literal("AdaptiveCard"),
          version: z.enum(["1.2", "1.3", "1.4", "1.5"]),
          fallbackText: z.string(),
          body: z.array(cardElement).min(1),
          actions: z.array(z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string(), url })).max(6),
        }),
      }),
    )
    .length(1),
});

export interface Answer {
  status: number;
  body: object;
}

/** What a service has taken, and how. */
export function aDesk() {
  const alerts: Alert[] = [];
  const posts: Post[] = [];

  const setState = (key: string, state: string): void => {
    const open = alerts.findLast((alert) => alert.key === key && alert.states.at(-1) !== "resolved");
    if (!open && state === "open") alerts.push({ key, states: ["open"] });
    // A second trigger, and whatever follows an end, is dropped by the service.
    else if (open && open.states.at(-1) !== state && state !== "open") open.states.push(state);
  };
  const add = (text: string, thread: string | null): string => {
    const ts = `1700000000.${String(posts.length).padStart(6, "0")}`;
    posts.push({ ts, thread, text });
    return ts;
  };

  const take: Record<ServiceKind, (path: string, body: unknown, authorization: string) => Answer> = {
    slack: (path, body, authorization) => {
      if (authorization !== `Bearer ${TOKENS.slack}`)
        return { status: 200, body: { ok: false, error: "invalid_auth" } };
      if (path === "/chat.update") {
        const { ts, text } = slackUpdate.parse(body);
        const post = posts.find((one) => one.ts === ts);
        if (!post) return { status: 200, body: { ok: false, error: "message_not_found" } };
        post.text = text;
        return { status: 200, body: { ok: true, channel: CHANNEL, ts } };
      }
      const { text, thread_ts } = slackPost.parse(path === "/chat.postMessage" ? body : null);
      return { status: 200, body: { ok: true, channel: CHANNEL, ts: add(text, thread_ts ?? null) } };
    },
    pagerduty: (path, body) => {
      const { event_action, dedup_key } = pagerDutyEvent.parse(path === "/v2/enqueue" ? body : null);
      setState(dedup_key, { trigger: "open", acknowledge: "acknowledged", resolve: "resolved" }[event_action]);
      return { status: 202, body: { status: "success", message: "Event processed", dedup_key } };
    },
    opsgenie: (path, body, authorization) => {
      if (authorization !== `GenieKey ${TOKENS.opsgenie}`)
        return { status: 401, body: { message: "Key is not valid" } };
      const act = /^\/v2\/alerts\/([^/]+)\/(acknowledge|close)\?identifierType=alias$/.exec(path);
      if (act) opsgenieAct.parse(body);
      if (act) setState(decodeURIComponent(act[1] ?? ""), act[2] === "close" ? "resolved" : "acknowledged");
      else setState(opsgenieAlert.parse(path === "/v2/alerts" ? body : null).alias, "open");
      return { status: 202, body: { result: "Request will be processed", took: 0.1, requestId: "r" } };
    },
    teams: (path, body) => {
      const { attachments } = teamsMessage.parse(path === TEAMS_PATH ? body : null);
      add(attachments[0]?.content.fallbackText ?? "", null);
      return { status: 202, body: {} };
    },
  };
  return { alerts, posts, take };
}
