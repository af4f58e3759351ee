import { setTimeout as delay } from "node:timers/promises";
import { type Cell, type Deploy, fleetOf, order } from "./order";

/** What the process of a starter gets by its environment. */
export interface StarterOrders {
  deploy: Deploy;
  urls: Record<Cell, string>;
}
export interface OrderToStart {
  key: string;
  tenant: string;
}
/** What it says of one start: acknowledged, or why not yet. */
export type Said = { key: string } & ({ id: string; cell: Cell; created: boolean } | { error: string });

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 1_000];

/** An app's process that starts orders, each again until it is acknowledged. It ends with its parent. */
function main({ deploy, urls }: StarterOrders): void {
  const fleet = fleetOf(deploy, urls);
  const say = (said: Said) => process.send?.(said);
  process.on("disconnect", () => process.exit(1));
  process.on("message", async ({ key, tenant }: OrderToStart) => {
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const { id, cell, created } = await fleet.start(order, { key, tenant }, { idempotencyKey: key });
        return say({ key, id, cell, created });
      } catch (error) {
        say({ key, error: String(error) });
        await delay(pause * (0.5 + Math.random()));
      }
    }
  });
  process.send?.("ready");
}

main(JSON.parse(process.env.FLEET_STARTER as string) as StarterOrders);
