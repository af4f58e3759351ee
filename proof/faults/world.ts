import type { Body } from "./body-ledger";
import type { Rig } from "./rig";

interface Charge {
  id: string;
  orderId: string;
  idempotencyKey: string;
  requests: number;
}
interface Message {
  messageId: string | null;
  to: string;
  receivedAt: string;
}

/** What really happened outside, by the sandbox and the ledger of bodies. */
export interface World {
  charges: Charge[];
  refunds: { chargeId: string }[];
  messages: Message[];
  blobs: Map<string, { writes: number }>;
  bodies: readonly Body[];
}

export async function lookAtWorld({ sandbox, ledger }: Rig): Promise<World> {
  const get = async <Answer>(path: string) => (await (await fetch(`${sandbox.url}${path}`)).json()) as Answer;
  const { charges, refunds } = await get<Pick<World, "charges" | "refunds">>("/payments/ledger");
  const { messages } = await get<Pick<World, "messages">>("/mail");
  const { blobs } = await get<{ blobs: { key: string; writes: number }[] }>("/blobs");
  return { charges, refunds, messages, blobs: new Map(blobs.map((blob) => [blob.key, blob])), bodies: ledger.bodies };
}

/** As the sample's mailer writes it. */
export const messageIdOf = (idempotencyKey: string) =>
  `<${idempotencyKey.replaceAll(/[^A-Za-z0-9._-]/g, "-")}@handrail.example>`;

export type Service = "payments" | "mail" | "blobs" | "users";

export async function trouble({ sandbox }: Rig, service: Service, fault: object): Promise<void> {
  await fetch(`${sandbox.url}/${service}/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fault),
  });
}

export async function endTrouble(rig: Rig): Promise<void> {
  for (const service of ["payments", "mail", "blobs", "users"] as const) await trouble(rig, service, { mode: "none" });
}
