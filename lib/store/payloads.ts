import { sha256 } from "../engine/digest";
import type { PayloadKeys } from "../engine/privacy/payload-keys";
import {
  isPayloadLocked,
  isProvedBy,
  isSealed,
  open,
  type Place,
  type StepPlace,
  seal,
} from "../engine/privacy/sealed";
import { blobRef, isBlob } from "../engine/values/blob";
import type { ClaimRecord } from "./workers/claim-record";
import type { ClaimedRun } from "./workers/claim-runs";

export type { StepPlace };

/*
 * Seals and opens payloads at the boundary of this folder's statements. The keys are the process's: a payload must not
 * be stored in clear because some part of the code was created without them, such as the transactions of apps. On
 * globalThis, because Next bundles modules separately.
 */
const shared = globalThis as { handrailPayloadKeys?: PayloadKeys | null };

/** The keys this process seals with from now on; null: it seals nothing. */
export function setPayloadKeys(keys: PayloadKeys | null): void {
  shared.handrailPayloadKeys = keys;
}

export const payloadKeys = (): PayloadKeys | null => shared.handrailPayloadKeys ?? null;

/** Ids of the keys that this process can open with. */
export const payloadKeyIds = (): string[] => [...(payloadKeys()?.byId.keys() ?? [])];

/** The text to store in the database. A reference stays in clear, for its trigger: what it refers to is sealed. */
export function sealed<Text extends string | null>(place: Place, text: Text): Text {
  const keys = payloadKeys();
  return keys && text !== null && !isBlob(text) ? (seal(keys, place, text) as Text) : text;
}

/** The opened text of a stored one. @throws HandrailError `payload_locked` */
export function opened<Text extends string | null>(place: Place, text: Text): Text {
  return text !== null && isSealed(text) ? (open(payloadKeys(), place, text) as Text) : text;
}

/** The same; undefined if it does not open. */
export function tryToOpen(place: Place, text: string): string | undefined {
  try {
    return opened(place, text);
  } catch (error) {
    if (isPayloadLocked(error)) return undefined;
    throw error;
  }
}

/** For people: a text that does not open becomes `{ "$type": "locked" }`, with the reason. */
export function shown<Text extends string | null>(place: Place, text: Text): Text {
  try {
    return opened(place, text);
  } catch (error) {
    if (!isPayloadLocked(error)) throw error;
    return JSON.stringify({ $type: "locked", key: error.details.keyId, value: error.message }) as Text;
  }
}

/** Whether a value in the blob store is the given one, byte for byte. @throws HandrailError `payload_locked` */
export function isBlobOf(place: Place, reference: string, text: string): boolean {
  const { sha256: digest, proof } = blobRef(reference);
  return proof === undefined ? sha256(text) === digest : isProvedBy(payloadKeys(), place, proof, text);
}

/** A new run's input, bound to its id. */
export const withSealedInput = <Run extends { id: string; input: string }>(run: Run): Run =>
  payloadKeys() ? { ...run, input: sealed([run.id, "input"], run.input) } : run;

/** The records of a claim, with sealed payloads. */
export function sealedRecords(records: readonly ClaimRecord[]): readonly ClaimRecord[] {
  return payloadKeys() ? records.map(sealedRecord) : records;
}

function sealedRecord(record: ClaimRecord): ClaimRecord {
  const { runId, step, child, run } = record;
  return {
    ...record,
    ...(step && { step: withSealedOutput(runId, step) }),
    ...(child && { child: withSealedInput(child) }),
    ...(run &&
      "output" in run &&
      run.output !== undefined && { run: { ...run, output: sealed([runId, "output"], run.output) } }),
  };
}

export function withSealedOutput<Step extends { name: string; generation: number; output: string | null }>(
  runId: string,
  step: Step,
): Step {
  if (!payloadKeys() || step.output === null) return step;
  return { ...step, output: sealed([runId, "step", step.name, step.generation], step.output) };
}

/** A run with its payloads as shown to people. */
export const shownRun = <Run extends { id: string; input: string; output: string | null }>(run: Run): Run => ({
  ...run,
  input: shown([run.id, "input"], run.input),
  output: shown([run.id, "output"], run.output),
});

/** A claimed run with the payloads that a replay reads opened. @throws HandrailError `payload_locked` */
export function openedRun(run: ClaimedRun): ClaimedRun {
  if (!isSealed(run.input) && !run.steps.some(({ output }) => output !== null && isSealed(output))) return run;
  return {
    ...run,
    input: opened([run.id, "input"], run.input),
    steps: run.steps.map((step) => openedStep(run.id, step)),
  };
}

export const openedStep = <Step extends { name: string; generation: number; output: string | null }>(
  runId: string,
  step: Step,
): Step =>
  step.output === null || !isSealed(step.output)
    ? step
    : { ...step, output: opened([runId, "step", step.name, step.generation], step.output) };
