import { execFileSync } from "node:child_process";
import { typeormTransactions } from "handrail/typeorm";
import { defineVerification, type WorldOptions } from "handrail/verify";
import pg from "pg";
import { dbAt } from "./db";
import { payOrder } from "./order";

const order = { id: "A-1", cents: 4_900 };

export default defineVerification(payOrder, {
  inputs: [order],
  world: aShop,
  prepare: migrate,
  transactions: ({ options }) => typeormTransactions(dbAt(options.connectionString)),
});

/** The order's row, and a provider that charges once a key, in the database of one trial. */
async function aShop({ databaseUrl }: WorldOptions) {
  const charges = new Map<string, number>();
  const charge = async (_order: string, cents: number, key: string) => {
    charges.set(key, cents);
    return `ch_${order.id}`;
  };
  await query(databaseUrl, "insert into orders (id, cents) values ($1, $2)", [order.id, order.cents]);
  const observe = async () => ({
    charges: [...charges.values()],
    orders: await query(databaseUrl, "select id, charge_id from orders"),
  });
  return { services: { payments: { charge } }, observe };
}

async function query(connectionString: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The app's own migrations. */
function migrate(databaseUrl: string) {
  execFileSync("npm", ["run", "migrate"], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: "" },
  });
}
