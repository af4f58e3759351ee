import { createHash } from "node:crypto";
import pg from "pg";
import type { appServices } from "../../demo/services/app-services";
import type { WorldOptions } from "../../lib/verify/options";
import type { World } from "../../lib/verify/verify";
import { migrateDemo } from "../../scripts/postgres/migrate-demo";

/*
 * The outside of the samples for one trial. What its providers did stands in tables of the trial's own database: it is there
 * for processes that die, and written by connections of its own, never within a transaction of the run.
 */
const OUTSIDE = `
  create schema outside;
  create table outside.effect (kind text, key text, body jsonb, primary key (kind, key));
  create table outside.mail (body jsonb);`;

/** What happened; each table as one value, in an order that does not depend on time. */
const SEEN = {
  effects: "select kind, body from outside.effect order by kind, body::text",
  mails: "select body from outside.mail order by body::text",
  orders: 'select id, status, charge_id from demo."order" order by id',
  reservations: "select order_id, quantity from demo.stock_reservation order by order_id",
  profiles: "select user_id, image_key from demo.profile order by user_id",
  accounts: "select id, balance_cents from demo.account order by id",
  entries: "select account_id, amount_cents, run_id from demo.account_entry order by account_id, amount_cents",
  users: "select id, name, email from demo.synced_user order by id",
};

export async function prepareDemoWorld(databaseUrl: string): Promise<void> {
  await migrateDemo(databaseUrl);
  await rowsOn(databaseUrl, OUTSIDE);
}

export const demoWorld = ({ databaseUrl }: WorldOptions): World => ({
  services: demoServicesOn(databaseUrl),
  async observe() {
    const seen = Object.entries(SEEN).map(async ([name, text]) => [name, await rowsOn(databaseUrl, text)]);
    return Object.fromEntries(await Promise.all(seen));
  },
});

/** The samples' services: a key that comes again is the same charge, as payment providers have it; a mail is sent each time. */
export function demoServicesOn(databaseUrl: string): typeof appServices {
  const on = <Row>(text: string, values: unknown[]) => rowsOn<Row>(databaseUrl, text, values);
  async function find<Body>(kind: string, key: string): Promise<Body | undefined> {
    const [row] = await on<{ body: Body }>("select body from outside.effect where kind = $1 and key = $2", [kind, key]);
    return row?.body;
  }
  async function once<Body extends object>(kind: string, key: string, body: Body): Promise<Body> {
    const text = "insert into outside.effect values ($1, $2, $3) on conflict do nothing";
    await on(text, [kind, key, JSON.stringify(body)]);
    return (await find<Body>(kind, key)) as Body;
  }
  return {
    payments: {
      charge: (order, { idempotencyKey }) =>
        once("charge", idempotencyKey, { id: `charge of ${order.orderId}`, ...order }),
      findCharge: ({ idempotencyKey }) => find("charge", idempotencyKey),
      refund: (chargeId, { idempotencyKey }) =>
        once("refund", idempotencyKey, { id: `refund of ${chargeId}`, chargeId }),
    },
    mail: {
      async send(mail, idempotencyKey) {
        await on("insert into outside.mail values ($1)", [JSON.stringify(mail)]);
        return { messageId: `<${createHash("sha256").update(idempotencyKey).digest("hex")}@verify.example>` };
      },
    },
    blobs: {
      async put(key, bytes) {
        await once("blob", key, { key, sha256: createHash("sha256").update(bytes).digest("hex") });
      },
      async delete(key) {
        await on("delete from outside.effect where kind = 'blob' and key = $1", [key]);
      },
    },
    users: {
      fetchAll: async () =>
        ["ada", "grace"].map((id) => ({ id, name: `${id} of the directory`, email: `${id}@example.com` })),
    },
  };
}

/** On a connection of its own. */
async function rowsOn<Row = unknown>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values.length > 0 ? values : undefined)).rows as Row[];
  } finally {
    await client.end();
  }
}
