/** What `import … from "handrail"` gives. Little is loaded with it: what starts runs comes with the first use, what runs them with the first worker. */
export type { TransactionOf, Transactions } from "../adapters/adapter";
export type { HandrailConfig } from "../app";
export { HandrailError, isHandrailError } from "../engine/errors";
export { defineEvent } from "../engine/events/event";
export { defineLimit, type LimitOptions, type StepLimit } from "../engine/queues/step-limit";
export type { StartOptions } from "../engine/runs/start";
export { OutcomeUnknownError } from "../engine/steps/outcome-unknown-error";
export { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";
export type { BlobStore } from "../engine/values/blob-store";
export type { BodyCall, Middleware } from "../engine/workflows/middleware";
export * from "../engine/workflows/register";
export type { PgTransaction, StepBody } from "../engine/workflows/step-options";
export { type Context, defineWorkflow, type TypedWorkflow, type Workflow } from "../engine/workflows/workflow";
export type { AppWorker } from "./app-worker";
export { createHandrail, type Handrail } from "./create-handrail";
export type { RunHandle, StartedRun } from "./run-handle";
