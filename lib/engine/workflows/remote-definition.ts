import type { FourEyesAct } from "../operations/four-eyes";
import type { SingletonConflict } from "../queues/singleton";
import type { RetryPolicy } from "../steps/retry-policy";

/** A workflow in another language, as reported by its worker: everything needed to start it. */
export interface RemoteDefinition {
  name: string;
  version: number;
  /** Of the worker that reported it last, such as "Python 3.12". */
  language: string;
  /** Display name. Default: the name. */
  title?: string;
  /** JSON Schema. Default: any input. */
  inputSchema?: Record<string, unknown>;
  /** Default policy of its steps. */
  retry?: Partial<Omit<RetryPolicy, "retryIf">>;
  /** Longest time from start to end, in milliseconds. Default: none. */
  timeoutMs?: number;
  /** Actions on its runs that require a second person: docs/four-eyes.md. */
  fourEyes?: readonly FourEyesAct[];
  onFailure?: "stop" | "compensate";
  /** Business keys: JSON Pointers into the input, such as "/order/id". One without a text or number is skipped. */
  tags?: Record<string, string>;
  /** What people call a run: a text with JSON Pointers into the input in braces, such as "Order {/order/id}". */
  runTitle?: string;
  /** As a workflow's own `masked`. */
  masked?: string[];
  /** As a workflow's own `searchable`. */
  searchable?: string[];
  /** `key` is a JSON Pointer into the input. */
  concurrency?: { limit: number; key?: string };
  rateLimit?: { limit: number; perMs: number; key?: string };
  singleton?: { key?: string; onConflict?: SingletonConflict };
}
