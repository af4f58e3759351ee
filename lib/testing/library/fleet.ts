import { createFleet } from "../../library/fleet/fleet";
import { createHandrail } from "../../library/handrail";
import { orderPaid, orderPlaced } from "./order-paid";

const workflows = [orderPlaced];
export const fleet = createFleet({
  cells: {
    eu: createHandrail({ workflows, databaseUrl: process.env.DATABASE_URL_EU as string }),
    us: createHandrail({ workflows, databaseUrl: process.env.DATABASE_URL_US as string }),
  },
  // By region where the caller says it; else by the hash of the order.
  cellOf: ({ headers, input }) => (headers.region === "eu" ? "eu" : { by: (input as { orderId: string }).orderId }),
});

/** In each process, the workers of one cell. */
export const work = (cell: "eu" | "us") => fleet.cell(cell).worker({ concurrency: 20 }).start();

export async function placeOrder(orderId: string, region: string) {
  const run = await fleet.start(
    orderPlaced,
    { orderId },
    { idempotencyKey: `order:${region}:${orderId}`, headers: { region } },
  );
  await fleet.send(orderPaid, { cents: 4_900 }, { key: orderId, id: `paid:${orderId}` });
  return run.id; // "eu.0192f0c1-…": its cell, and its id there
}

export async function numberOf(id: string) {
  const { output } = await fleet.run(id, orderPlaced).result({ timeoutMs: 10_000 });
  return output.number;
}

export async function waitingOrders() {
  const { runs, missing } = await fleet.list({ workflow: ["order-placed"], status: ["waiting"] });
  return { ids: runs.map(({ id }) => id), without: missing.map(({ cell }) => cell) };
}
