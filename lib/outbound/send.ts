import { headline, type Message, type Sent, signaturesOf, type ToSend } from "../engine/notices/delivery";
import { type MailServer, sendMail } from "./mail";
import { mailOf } from "./mail-text";
import { post } from "./post";

interface Outbound {
  internal: readonly string[];
  /** Null: mail is not configured. */
  mail: MailServer | null;
}

const GONE = 410;

/** Sends once. Failures are returned, not thrown, except a stop by the signal. */
export async function send(outbound: Outbound, toSend: ToSend, signal?: AbortSignal): Promise<Sent> {
  const { id, body, address } = toSend;
  if (address.kind === "email") return mailed(outbound, toSend);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Handrail",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signaturesOf(address.secrets, id, timestamp, body),
  };
  const { internal } = outbound;
  const posted = await post(address.url ?? "", body, headers, { internal, ...(signal && { signal }) });
  return { ...posted, final: posted.code === GONE, gone: posted.code === GONE };
}

async function mailed({ mail }: Outbound, { id, body, events, count, address }: ToSend): Promise<Sent> {
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
