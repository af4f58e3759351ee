/** What `import … from "handrail"` gives: an app needs no other file of ours but the adapter of its library. */
export type { TransactionOf, Transactions } from "../adapters/adapter";
export type { HandrailConfig } from "../app";
export { HandrailError, isHandrailError } from "../engine/errors";
export { defineEvent } from "../engine/events/event";
export type { StartOptions } from "../engine/runs/start";
export { defineSchedule } from "../engine/schedules/schedule";
export {
  type Context,
  defineWorkflow,
  type PgTransaction,
  type Register,
  type StepBody,
  type TypedWorkflow,
  type Workflow,
} from "../engine/workflows/workflow";
export type { AppWorker } from "./app-worker";
export { createHandrail, type Handrail } from "./create-handrail";
export type { RunHandle, StartedRun } from "./run-handle";
