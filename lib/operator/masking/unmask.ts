import type { Json } from "../../engine/privacy/mask";
import { maskedInParts } from "../../engine/privacy/mask";
import type { Db } from "../../store/db";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { inTurns } from "../in-turns";
import { readRun } from "../runs/reads";
import type { RunView } from "../runs/run-view";
import { loadVeils } from "./veils";

/** Fields that the audit log names; a run may have any number. */
const MAX_FIELDS = 200;

/**
 * A run with its masked values, for an operator with a reason to see them: its audit row is written before anything is
 * returned. A repeated request is a second disclosure: the answer is not kept.
 * @throws HandrailError `unknown_run`
 */
export async function unmask(desk: Desk, { runId, reason }: { runId: string; reason: string }): Promise<RunView> {
  const attempt: Attempt = { act: "unmask", runId, reason };
  const { body } = await audited({ ...desk, request: null }, attempt, async (tx, record) => {
    const run = await readRun(tx, runId);
    Object.assign(attempt, { workflow: run.workflow, before: {} });
    const fields = await maskedFields(tx, run);
    await record({ fields: fields.slice(0, MAX_FIELDS), ...(fields.length > MAX_FIELDS && { of: fields.length }) });
    return { status: 200, body: run };
  });
  return body;
}

/** Where the run has masked values: `input.card.number`. */
async function maskedFields(db: Db, run: RunView): Promise<string[]> {
  const { id, workflow } = run;
  const veils = await loadVeils(db, { runs: new Map([[id, []]]), workflows: new Set([workflow]), sees: true });
  const { mask, text } = await inTurns(veils.ofRun(id, workflow));
  const fields = new Set<string>();
  for (const [name, json] of payloadsOf(run))
    await inTurns(maskedInParts(json, mask, text, (way) => fields.add(text.hideIn([name, ...way].join(".")))));
  return [...fields];
}

const payloadsOf = ({ input, output, tags, headers, steps, events }: RunView): [string, Json][] => [
  ["input", input],
  ["output", output],
  ["tags", tags],
  ["run", { headers }],
  ...steps.flatMap(({ name, output: result, wait }): [string, Json][] => [
    [`steps.${name}.output`, result],
    [`steps.${name}.data`, wait?.data ?? null],
  ]),
  ...events.map(({ name, payload }): [string, Json] => [`events.${name}`, payload]),
];
