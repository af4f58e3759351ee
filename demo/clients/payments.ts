import { outsideWorld } from "./addresses";
import { request } from "./http";

export interface Charge {
  id: string;
  orderId: string;
  amountCents: number;
}
export interface Refund {
  id: string;
  chargeId: string;
}
interface Ask {
  idempotencyKey: string;
  signal: AbortSignal;
}

const SERVICE = "payment gateway";
const url = (path: string) => `${outsideWorld().sandboxUrl}/payments/${path}`;

function post<Answer>(path: string, body: unknown, { idempotencyKey, signal }: Ask): Promise<Answer> {
  const headers = { "content-type": "application/json", "idempotency-key": idempotencyKey };
  return request(SERVICE, url(path), { method: "POST", headers, body: JSON.stringify(body), signal }).then(
    (response) => response.json() as Promise<Answer>,
  );
}

/** Charges once per key, however often it is asked. */
export function charge(order: { orderId: string; amountCents: number }, ask: Ask): Promise<Charge> {
  return post("charges", order, ask);
}

/** What became of a charge that was asked for with this key. */
export async function findCharge({ idempotencyKey, signal }: Ask): Promise<Charge | undefined> {
  const response = await request(
    SERVICE,
    url(`charges?idempotencyKey=${encodeURIComponent(idempotencyKey)}`),
    { signal },
    [404],
  );
  return response.status === 404 ? undefined : ((await response.json()) as Charge);
}

export function refund(chargeId: string, ask: Ask): Promise<Refund> {
  return post("refunds", { chargeId }, ask);
}
