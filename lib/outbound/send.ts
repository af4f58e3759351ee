import { headline, type Message, type Sent, signaturesOf } from "../engine/notices/delivery";
import { type MailServer, sendMail } from "./mail";
import { mailOf } from "./mail-text";
import type { Outgoing, SentOut, Service } from "./outgoing";
import { post } from "./post";
import { type Poster, sendToOpsgenie, sendToPagerDuty, sendToTeams } from "./services";
import { sendToSlack } from "./slack";

interface Outbound {
  internal: readonly string[];
  /** Null: mail is not configured. */
  mail: MailServer | null;
  /** For tests: of one request. */
  timeoutMs?: number;
}

const GONE = 410;

const SERVICES: Record<Service, (toSend: Outgoing, post: Poster) => Promise<SentOut>> = {
  slack: sendToSlack,
  pagerduty: sendToPagerDuty,
  opsgenie: sendToOpsgenie,
  teams: sendToTeams,
};

/** Sends once. Failures are returned, not thrown, except a stop by the signal. */
export async function send(outbound: Outbound, toSend: Outgoing, signal?: AbortSignal): Promise<SentOut> {
  const { id, body, address } = toSend;
  const { kind } = address;
  if (kind === "email") return mailed(outbound, toSend);
  const { internal, timeoutMs } = outbound;
  const options = { internal, ...(signal && { signal }), ...(timeoutMs && { timeoutMs }) };
  if (kind !== "webhook")
    return SERVICES[kind](toSend, (request) => post(request.url, request.body, request.headers, options));
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Handrail",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signaturesOf(address.secrets, id, timestamp, body),
  };
  const { text: _, ...posted } = await post(address.url ?? "", body, headers, options);
  return { ...posted, final: posted.code === GONE, gone: posted.code === GONE };
}

async function mailed({ mail }: Outbound, { id, body, events, count, address }: Outgoing): Promise<Sent> {
  const never = { retryAfterMs: 0, gone: false };
  if (!mail) return { code: null, error: "Mail is not set up: HANDRAIL_SMTP_URL is not set.", final: false, ...never };
  const message = JSON.parse(body) as Message;
  const domain = mail.from.slice(mail.from.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "") || "handrail";
  const sent = await sendMail(mail, {
    messageId: `<${id}@${domain}>`,
    to: address.addresses ?? [],
    subject: headline(events, count),
    ...mailOf(message),
  });
  return { ...sent, ...never };
}
