import type { RequestOf } from "../api/client/client";
import type { HttpContext } from "./http-context";

/** A compensation: gets what the step returned, and a key for the provider. */
export type HttpUndo = (output: unknown, body: { idempotencyKey: string; step: string }) => unknown;

/** What a worker says of a workflow when it registers, and its compensations by the step's name, up to a colon. */
export type HttpWorkflow = RequestOf<"POST", "/v1/worker/registrations">["workflows"][number] & {
  undos?: Readonly<Record<string, HttpUndo>>;
};

/** A workflow's code. Whatever has an effect belongs in a step. */
export type HttpCode<Input = unknown> = (ctx: HttpContext, input: Input) => unknown;
