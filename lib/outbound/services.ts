import type { Message } from "../engine/notices/delivery";
import { type Card, cardOf, cut } from "./card";
import type { Outgoing, SentOut } from "./outgoing";
import type { Posted } from "./post";

/*
 * PagerDuty, Opsgenie and Microsoft Teams, as their documentation has them: PagerDuty's Events API v2, Opsgenie's Alert
 * API, and an Adaptive Card for Teams' workflow "when a webhook request is received". The first two drop what arrives
 * twice by the key of the incident; a card cannot be recognized, and may appear twice.
 */

export interface Request {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How `post` is called here, with what the environment allows. */
export type Poster = (request: Request) => Promise<Posted>;

const JSON_TYPE = { "content-type": "application/json; charset=utf-8", "user-agent": "Handrail" };

export const jsonRequest = (url: string, body: object, headers: Record<string, string> = {}): Request => ({
  url,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

export const underBase = (base: string | null, path: string): string => `${(base ?? "").replace(/\/+$/, "")}${path}`;

/** These answers say that the request itself is wrong: the same bytes would be refused again. */
const REFUSED_FOR_GOOD: readonly (number | null)[] = [400, 413, 422];
const GONE = 410;

export function sentOf(posted: Posted): SentOut {
  const { text: _, ...rest } = posted;
  const gone = posted.code === GONE;
  return { ...rest, final: gone || REFUSED_FOR_GOOD.includes(posted.code), gone };
}

export const sendToPagerDuty = async (toSend: Outgoing, post: Poster): Promise<SentOut> =>
  sentOf(await post(jsonRequest(underBase(toSend.address.url, "/v2/enqueue"), pagerDutyEvent(toSend))));

/** Where a person goes from a message. */
export const linksOf = ({ url, runbook }: Card) => [
  { title: "Open in Handrail", url },
  ...(runbook === null ? [] : [{ title: "Runbook", url: runbook }]),
];

const ACTIONS = { open: "trigger", acknowledged: "acknowledge", resolved: "resolve" } as const;
const DETAILS = (card: Card) => Object.fromEntries(card.facts.map(({ name, value }) => [name.toLowerCase(), value]));

function pagerDutyEvent({ body, address, incident }: Outgoing): object {
  const card = cardOf(JSON.parse(body) as Message);
  const event = { routing_key: tokenOf(address), event_action: ACTIONS[card.state], dedup_key: incident?.key };
  if (card.state !== "open") return event;
  return {
    ...event,
    client: "Handrail",
    client_url: card.url,
    links: linksOf(card).map(({ title, url }) => ({ href: url, text: title })),
    payload: {
      summary: cut(card.sentence, 1_024),
      source: new URL(card.url).host,
      severity: card.severity,
      timestamp: card.at,
      class: card.type,
      custom_details: { ...DETAILS(card), ...(card.lines.length > 1 && { events: card.lines }) },
    },
  };
}

export const sendToOpsgenie = async (toSend: Outgoing, post: Poster): Promise<SentOut> =>
  sentOf(await post(opsgenieRequest(toSend)));

const PRIORITIES = { critical: "P1", warning: "P3", info: "P5" } as const;
const VERBS = { acknowledged: "acknowledge", resolved: "close" } as const;

function opsgenieRequest({ body, address, incident }: Outgoing): Request {
  const card = cardOf(JSON.parse(body) as Message);
  const headers = { authorization: `GenieKey ${tokenOf(address)}` };
  const alias = incident?.key ?? "";
  if (card.state !== "open") {
    const path = `/v2/alerts/${encodeURIComponent(alias)}/${VERBS[card.state]}?identifierType=alias`;
    return jsonRequest(
      underBase(address.url, path),
      { source: "Handrail", note: `${card.word} in Handrail.` },
      headers,
    );
  }
  const alert = {
    message: cut(card.sentence, 130),
    alias,
    description: cut(
      [...card.lines.map((line) => `${line}.`), ...linksOf(card).map(({ title, url }) => `${title}: ${url}`)].join(
        "\n",
      ),
      15_000,
    ),
    tags: ["handrail", card.type],
    details: { ...DETAILS(card), url: card.url, ...(card.runbook && { runbook: card.runbook }) },
    source: "Handrail",
    priority: PRIORITIES[card.severity],
  };
  return jsonRequest(underBase(address.url, "/v2/alerts"), alert, headers);
}

/** @throws Error if the row has none, which its table refuses */
export function tokenOf({ secrets: [token] }: Outgoing["address"]): string {
  if (token === undefined) throw new Error("The destination has no token.");
  return token;
}

export const sendToTeams = async ({ body, address }: Outgoing, post: Poster): Promise<SentOut> =>
  sentOf(await post(jsonRequest(address.url ?? "", teamsMessage(cardOf(JSON.parse(body) as Message)))));

const COLOURS = { open: "attention", acknowledged: "warning", resolved: "good" } as const;

const teamsMessage = (card: Card): object => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        fallbackText: cut(`${card.word}: ${card.sentence}`, 1_000),
        body: [
          {
            type: "TextBlock",
            text: card.word,
            weight: "Bolder",
            size: "Medium",
            color: COLOURS[card.state],
          },
          // Text runs, since text blocks would read a step's name as Markdown, with links.
          ...card.lines.map((text) => ({ type: "RichTextBlock", inlines: [{ type: "TextRun", text: `${text}.` }] })),
          ...card.facts.map(({ name, value }) => ({
            type: "RichTextBlock",
            spacing: "Small",
            inlines: [{ type: "TextRun", text: `${name}: ${value}`, isSubtle: true }],
          })),
        ],
        actions: linksOf(card).map((link) => ({ type: "Action.OpenUrl", ...link })),
      },
    },
  ],
});
