import { runWorker } from "../../lib/worker/main";
import { schedulesOf, type WorkerOrders, workflowsOf } from "./workflows";

/** A worker's process of a soak, as `handrail worker` is one. */
const workflows = workflowsOf(JSON.parse(process.env.SOAK_ORDERS as string) as WorkerOrders);
await runWorker({ name: "soak", workflows: Object.values(workflows), schedules: schedulesOf(workflows) });
