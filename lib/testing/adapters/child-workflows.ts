import type { ChildOrders } from "../processes/crash";
import { ADAPTERS } from "./adapter-cases";
import { adapterWorkflow } from "./adapter-workflow";

/** For workers in processes: the workflow, and the transactions of the library that the environment names. */
const { databaseUrl } = JSON.parse(process.env.HANDRAIL_TEST_ORDERS ?? "{}") as ChildOrders;
const adapter = await ADAPTERS[process.env.HANDRAIL_TEST_ADAPTER as string]?.(databaseUrl);
if (!adapter) throw new Error("HANDRAIL_TEST_ADAPTER names no adapter.");

export const workflows = [adapterWorkflow(adapter)];
export const { transactions } = adapter;
