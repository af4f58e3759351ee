import type { Parts } from "../../engine/parts";
import { ALL_HIDDEN, type HiddenText, hiddenText, NOTHING_HIDDEN } from "../../engine/privacy/hidden-text";
import { type Json, type Mask, maskOf, secretsInParts } from "../../engine/privacy/mask";
import { parseOwnInParts } from "../../engine/values/parse-in-parts";
import type { Db } from "../../store/db";
import {
  DESCENDANTS_IN_LISTS,
  type MaskedValuesRow,
  selectMaskedPaths,
  selectMaskedValues,
} from "../../store/privacy/masked-values";

/** Hides the masked values of a run, in its payloads and in every text about it. */
export interface Veil {
  mask: Mask;
  text: HiddenText;
  /**
   * Whether there is anything to hide: the workflow masks something, or the run has a value under a name that is always
   * masked.
   */
  hides: boolean;
}

/** Values that are about to be shown, by their owner. */
export interface VeilScope {
  /** Payloads in the answer itself, by run id. */
  runs: ReadonlyMap<string, readonly Json[]>;
  workflows: ReadonlySet<string>;
  /** Whether the caller may see masked values. */
  sees: boolean;
}

export interface Veils {
  /** Searching the values of a run may take long. */
  ofRun(runId: string, workflow: string | null): Parts<Veil>;
  ofWorkflow(workflow: string | null): Veil;
}

/** Values searched per answer, so that its cost does not depend on what its runs hold. */
const VALUES = 10_000;
const FEWEST_VALUES = 100;
/** The limit for all values of one run. */
const BYTES_IN_LISTS = 262_144;
const BYTES_OF_ONE = 16_777_216;
/** Descendants of a run whose masks apply to what is shown of it. */
const DESCENDANTS_OF_ONE = 10_000;

/** Reads, in two statements, what hides the masked values of all these. */
export async function loadVeils(db: Db, scope: VeilScope): Promise<Veils> {
  const runIds = [...scope.runs.keys()];
  const limits = {
    values: Math.max(FEWEST_VALUES, Math.floor(VALUES / Math.max(1, runIds.length))),
    bytes: runIds.length <= 1 ? BYTES_OF_ONE : BYTES_IN_LISTS,
    descendants: runIds.length <= 1 ? DESCENDANTS_OF_ONE : DESCENDANTS_IN_LISTS,
  };
  const [rows, paths] = await Promise.all([
    runIds.length > 0 ? selectMaskedValues(db, runIds, limits) : [],
    scope.workflows.size > 0 ? selectMaskedPaths(db, [...scope.workflows]) : [],
  ]);
  const families = new Map<string, MaskedValuesRow[]>();
  for (const row of rows) families.set(row.of, [...(families.get(row.of) ?? []), row]);
  const pathsOf = new Map(paths.map(({ name, paths }) => [name, paths]));
  const made = new Map<string, Veil>();
  const masks = new Map<string, Mask>();
  // Runs of one workflow mask alike: a mask knows the keys that it was asked about.
  const maskFor = (paths: readonly string[]) => {
    const key = JSON.stringify(paths);
    const mask = masks.get(key) ?? maskOf(paths);
    masks.set(key, mask);
    return mask;
  };
  const ofWorkflow = (workflow: string | null) => {
    const own = (workflow && pathsOf.get(workflow)) || [];
    return { mask: maskFor(own), text: NOTHING_HIDDEN, hides: own.length > 0 };
  };
  return {
    ofWorkflow,
    *ofRun(runId, workflow) {
      const known = made.get(runId);
      if (known) return known;
      const own = (workflow && pathsOf.get(workflow)) || [];
      const family = families.get(runId) ?? [];
      const paths = [...new Set([...own, ...family.flatMap((member) => member.paths)])];
      const masking = { mask: maskFor(paths), masks: paths.length > 0 };
      const veil = yield* veilOf(family, masking, scope.runs.get(runId) ?? [], scope.sees);
      made.set(runId, veil);
      return veil;
    },
  };
}

function* veilOf(
  family: readonly MaskedValuesRow[],
  { mask, masks }: { mask: Mask; masks: boolean },
  payloads: readonly Json[],
  sees: boolean,
): Parts<Veil> {
  const hidesAll = { mask, text: ALL_HIDDEN, hides: true };
  // The run was deleted, or it or its family is too large: not all values that its texts must hide are known.
  const unknown = family.length === 0 || family.some(({ more }) => more);
  if (masks && unknown) return hidesAll;
  const secrets = new Set<string>();
  for (const text of family.flatMap((member) => member.texts)) {
    if (text !== null) add(secrets, yield* secretsInParts(yield* parseOwnInParts(text), mask));
    yield;
  }
  for (const payload of payloads) add(secrets, yield* secretsInParts(payload, mask));
  const hides = masks || secrets.size > 0;
  // The input mixes an editor's texts with values masked from the editor: masking equal texts would reveal which are
  // equal.
  if (hides && !sees && family.some(({ edited }) => edited)) return hidesAll;
  return { mask, text: hiddenText(secrets), hides };
}

function add(secrets: Set<string>, more: Iterable<string>): void {
  for (const secret of more) secrets.add(secret);
}
