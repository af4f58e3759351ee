import { createHandrail } from "../../../lib/library/handrail";
import { order } from "./order";

/** A worker's process of one cell, as docs/fleet.md has it. It ends with its parent. */
process.on("disconnect", () => process.exit(1));
const cell = createHandrail({ workflows: [order], databaseUrl: process.env.FLEET_CELL as string });
await cell.worker({ concurrency: 20 }).start();
process.send?.("ready");
