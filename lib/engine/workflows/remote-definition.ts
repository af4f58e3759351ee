import type { FourEyesAct } from "../operations/four-eyes";
import type { RetryPolicy } from "../steps/retry-policy";

/** A workflow whose code is in another language, as its worker tells of it: all that is to be known where it is started. */
export interface RemoteDefinition {
  name: string;
  version: number;
  /** Of the worker that told of it last, such as "Python 3.12". */
  language: string;
  /** For people. Default: the name. */
  title?: string;
  /** JSON Schema. Default: any input. */
  inputSchema?: Record<string, unknown>;
  /** Default policy of its steps. */
  retry?: Partial<Omit<RetryPolicy, "retryIf">>;
  /** Longest time from start to end, in milliseconds. Default: none. */
  timeoutMs?: number;
  /** Acts on its runs that take a second person: docs/four-eyes.md. */
  fourEyes?: readonly FourEyesAct[];
  onFailure?: "stop" | "compensate";
  /** Business keys: each a JSON Pointer into the input, such as "/order/id". One that finds no text and no number is left out. */
  tags?: Record<string, string>;
  /** As a workflow's own `masked`. */
  masked?: string[];
  /** `key` is a JSON Pointer into the input. */
  concurrency?: { limit: number; key?: string };
  rateLimit?: { limit: number; perMs: number; key?: string };
}
