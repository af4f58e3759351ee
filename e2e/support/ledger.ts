import type { Charge, Refund } from "../../demo/sandbox/ledger";
import { serverEnvironment } from "./server";

const { HANDRAIL_SANDBOX_PORT } = await serverEnvironment();
export const sandboxUrl = `http://127.0.0.1:${HANDRAIL_SANDBOX_PORT}`;

/** As the gateway's own books have it: `requests` counts how often it was asked with this key. */
export type BookedCharge = Charge & { requests: number };

async function read<Body>(path: string): Promise<Body> {
  return (await (await fetch(`${sandboxUrl}${path}`)).json()) as Body;
}

const ledger = () => read<{ charges: BookedCharge[]; refunds: Refund[] }>("/payments/ledger");

/** What really happened to the order's card, whatever the console says. */
export async function chargesOf(orderId: string): Promise<BookedCharge[]> {
  return (await ledger()).charges.filter((charge) => charge.orderId === orderId);
}

export async function refundsOf(orderId: string): Promise<Refund[]> {
  const { charges, refunds } = await ledger();
  const ids = charges.filter((charge) => charge.orderId === orderId).map(({ id }) => id);
  return refunds.filter(({ chargeId }) => ids.includes(chargeId));
}

export interface Mail {
  messageId: string | null;
  to: string;
  subject: string;
}

export async function mailTo(email: string): Promise<Mail[]> {
  const { messages } = await read<{ messages: Mail[] }>("/mail");
  return messages.filter(({ to }) => to === email);
}

/** An operator acts at the gateway directly, past the workflow. */
export async function atTheGateway(
  path: "charges" | "refunds",
  idempotencyKey: string,
  body: unknown,
): Promise<{ id: string }> {
  const response = await fetch(`${sandboxUrl}/payments/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The gateway answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { id: string };
}
