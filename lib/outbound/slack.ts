import type { Message } from "../engine/notices/delivery";
import { type Card, cardOf, cut } from "./card";
import type { Outgoing, SentOut } from "./outgoing";
import type { Posted } from "./post";
import { jsonRequest, linksOf, type Poster, sentOf, tokenOf, underBase } from "./services";

/*
 * Slack's Web API with the token of an app that may write to the channel (`chat:write`). The first message about
 * something leads a thread: what follows changes it, so that the channel shows how things are, and answers it. Slack
 * has no key against duplicates: if its answer is lost, a message may appear twice.
 */

export async function sendToSlack(toSend: Outgoing, post: Poster): Promise<SentOut> {
  const { body, address, incident } = toSend;
  const card = cardOf(JSON.parse(body) as Message);
  const [channel, first] = threadOf(incident?.thread) ?? [address.channel ?? "", null];
  const call = async (method: string, request: object) => {
    const headers = { authorization: `Bearer ${tokenOf(address)}` };
    return answerOf(await post(jsonRequest(underBase(address.url, `/${method}`), request, headers)));
  };
  const message = { channel, ...messageOf(card), unfurl_links: false, unfurl_media: false };
  if (first === null) return withThread(await call("chat.postMessage", message));
  const updated = await call("chat.update", { channel, ts: first, ...messageOf(card) });
  // A person deleted it, or its workspace no longer lets it be changed: the answer alone says what happened.
  if (updated.error !== null && !UNCHANGEABLE.includes(updated.reason ?? "")) return withThread(updated);
  const isAgain = card.state === "open";
  return withThread(
    await call("chat.postMessage", { ...message, thread_ts: first, ...(isAgain && { reply_broadcast: true }) }),
  );
}

const UNCHANGEABLE: readonly string[] = ["message_not_found", "cant_update_message", "edit_window_closed"];

interface Answer extends SentOut {
  /** Slack's word for a refusal. */
  reason?: string;
}

/** Slack answers 200 to what it refuses, too, and says so in the text. */
function answerOf(posted: Posted): Answer {
  const sent = sentOf(posted);
  if (sent.error !== null) return sent;
  const answer = parsed(posted.text);
  if (answer?.ok === true) {
    const { channel, ts } = answer;
    return { ...sent, thread: isId(channel) && isTimestamp(ts) ? `${channel}:${ts}` : null };
  }
  const known = typeof answer?.error === "string" && /^[a-z_]{1,60}$/.test(answer.error) ? answer.error : null;
  if (known === null) return { ...sent, error: "Slack's answer was cut off or is not Slack's." };
  return { ...sent, error: `Slack refused: ${known}.`, reason: known };
}

function withThread({ reason: _, ...sent }: Answer): SentOut {
  return sent;
}

interface SlackAnswer {
  ok?: unknown;
  error?: unknown;
  channel?: unknown;
  ts?: unknown;
}

function parsed(text: string | undefined): SlackAnswer | null {
  try {
    const answer: unknown = JSON.parse(text ?? "");
    return typeof answer === "object" ? answer : null;
  } catch {
    return null;
  }
}

const isId = (value: unknown): value is string => typeof value === "string" && /^[A-Z0-9]{1,40}$/.test(value);
const isTimestamp = (value: unknown): value is string => typeof value === "string" && /^\d{1,12}\.\d{1,8}$/.test(value);

function threadOf(thread: string | null | undefined): [channel: string, first: string] | null {
  const [channel, first] = thread?.split(":") ?? [];
  return channel && first ? [channel, first] : null;
}

const EMOJI = {
  open: ":red_circle:",
  acknowledged: ":large_yellow_circle:",
  resolved: ":large_green_circle:",
} as const;

function messageOf(card: Card): { text: string; blocks: object[] } {
  const lines = card.lines.map((line) => `${escaped(line)}.`).join("\n");
  const facts = card.facts.map(({ name, value }) => marked(`*${name}*\n${escaped(value)}`, 2_000));
  return {
    text: cut(`${card.word}: ${escaped(card.sentence)}`, 3_000),
    blocks: [
      { type: "section", text: marked(`${EMOJI[card.state]} *${card.word}*\n${lines}`, 3_000) },
      ...(facts.length > 0 ? [{ type: "section", fields: facts }] : []),
      {
        type: "actions",
        elements: linksOf(card).map(({ title, url }) => ({
          type: "button",
          text: { type: "plain_text", text: title },
          url,
        })),
      },
      { type: "context", elements: [{ type: "plain_text", text: `Handrail, ${card.at}` }] },
    ],
  };
}

/** A name can neither mention people nor make a link. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const marked = (text: string, most: number) => ({ type: "mrkdwn", text: cut(text, most), verbatim: true });
