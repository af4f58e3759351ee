import type { Webhook } from "@/components/domain/sandbox/sandbox-answers";
import type { Json } from "@/components/parts/values/value-node";

/** A message as it is shown: its attempts are one. */
export interface Received extends Pick<Webhook, "id" | "signature"> {
  headline: string;
  body: Json;
  signedAt: string;
  /** Of the latest attempt. */
  receivedAt: string;
  times: number;
}

/** The latest first. One that was taken in the end was not refused. */
export function deliveredOf(messages: readonly Webhook[]): Received[] {
  const byId = new Map<string, Received>();
  for (const { id, signature, body, timestamp, receivedAt } of messages) {
    const before = byId.get(id);
    byId.delete(id);
    byId.set(id, {
      ...{ id, receivedAt, signedAt: new Date(timestamp * 1_000).toISOString(), times: (before?.times ?? 0) + 1 },
      signature: before?.signature === "right" ? "right" : signature,
      ...readable(body),
    });
  }
  return [...byId.values()].reverse();
}

/** The message in readable form; if it cannot be parsed, the text itself. */
function readable(text: string): Pick<Received, "headline" | "body"> {
  try {
    const body = JSON.parse(text) as { type?: string; data?: { sentence?: string; count?: number } };
    const { type = "a message", data } = body;
    const said = data?.sentence ?? (data?.count === undefined ? undefined : `${data.count} events`);
    return { headline: said === undefined ? type : `${type}: ${said}`, body: body as Json };
  } catch {
    return { headline: text.slice(0, 200), body: text };
  }
}
