import { HandrailError } from "../errors";
import { checkedKey } from "./queue";

/** What a start does while another run of the key lives. */
export const SINGLETON_CONFLICTS = ["refuse", "existing"] as const;
export type SingletonConflict = (typeof SINGLETON_CONFLICTS)[number];

/** At most one run of a key that has not ended, whether it waits, sleeps, is paused or is being compensated. */
export interface Singleton<Input = unknown> {
  /** 200 characters at most. Default: one live run of the workflow. */
  key?: (input: Input) => string;
  /**
   * A start while another run of its key lives: `"refuse"` (default) throws `singleton_conflict` with that run's id in
   * `details.runId`; `"existing"` returns that run, whatever its input.
   */
  onConflict?: SingletonConflict;
}

/** The declared singleton of a workflow. */
export interface OneAtATime {
  onConflict: SingletonConflict;
  keyOf: (input: unknown) => string;
}

/** @throws HandrailError `invalid_workflow` */
export function defineSingleton<Input>(name: string, declared: Singleton<Input> | undefined): OneAtATime | undefined {
  if (!declared) return undefined;
  const { key, onConflict = "refuse" } = declared;
  if (!SINGLETON_CONFLICTS.includes(onConflict))
    throw new HandrailError(
      "invalid_workflow",
      `singleton.onConflict of workflow "${name}" must be one of ${SINGLETON_CONFLICTS.map((one) => `"${one}"`).join(", ")}; got ${JSON.stringify(onConflict)}.`,
    );
  return { onConflict, keyOf: key ? (input) => checkedKey("singleton", name, key(input as Input)) : () => "" };
}

/** @param holder the live run; null if its id is unknown, or not for the one who asks */
export const singletonConflict = (workflow: string, holder: string | null) =>
  new HandrailError(
    "singleton_conflict",
    `A run of "${workflow}" with this key has not ended${holder === null ? "" : `: ${holder}`}. Wait for its end, or cancel it first.`,
    holder === null ? {} : { runId: holder },
  );
