import { WORDS } from "../../actions/words";
import { HandrailError } from "../../engine/errors";
import { type NoticeEvent, plainName } from "../../engine/notices/notice";
import { addUp, type Proof, type ProofPage } from "../../engine/operations/add-up-proof";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import { insertDelivery } from "../../store/notices/deliveries";
import { type DestinationRow, listDestinations } from "../../store/notices/destinations";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import type { Desk } from "../desk";
import { readOperationAndRuns } from "../operations/operation-view";
import { proveOperation } from "../operations/prove-operation";
import { readProblem } from "../problem-view";
import { beginDelivery } from "./redeliver";

/** What a report is about. */
export type About = { operationId: string } | { problemId: string };

type Report = Pick<NoticeEvent, "sentence" | "workflows" | "step" | "problemId" | "operationId">;

/** Services that page people take no reports. */
const PAGES: readonly DestinationRow["kind"][] = ["pagerduty", "opsgenie"];
/** Runs whose effects are added up for a sentence; a larger operation has its proof on its page alone. */
const PROVEN_AT_MOST = 5_000;
const PAGE = 500;
const NAMED_STEPS = 3;

/** As people read it anywhere: "2026-11-25 08:40 UTC". */
const minuteOf = (instant: string | null): string => `${instant?.slice(0, 16).replace("T", " ")} UTC`;
const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** What would be sent, and where to. @throws HandrailError `unknown_operation`, `unknown_problem` */
export async function previewReport(db: Db, about: About) {
  const report = await reportOn(db, about);
  const destinations = (await listDestinations(db)).filter((destination) => takes(destination, report));
  return {
    sentence: report.sentence,
    destinations: destinations.map(({ id, name, kind }) => ({ id, name, kind })),
  };
}

interface Sending {
  about: About;
  destinationId: string;
  reason: string;
}

/**
 * Sends names and numbers, as of now, and a link; a worker delivers them.
 * @throws HandrailError as `previewReport`; `not_found`; `not_allowed` for a destination that takes no such report
 */
export async function sendReport(desk: Desk, { about, destinationId, reason }: Sending) {
  const report = await reportOn(desk.db, about);
  const details = { destinationId, ...about };
  const given = { act: "send_report", reason, details, destinationId, workflow: report.workflows[0] };
  const { id, status } = await beginDelivery(desk, given, async (tx) => {
    const destination = (await listDestinations(tx)).find((one) => one.id === destinationId);
    if (!destination || !takes(destination, report))
      throw new HandrailError("not_allowed", "This destination takes no reports about these workflows.");
    const deliveryId = newPlanId();
    const runId = await startDelivery(tx, deliveryId, 1);
    const at = (await databaseNow(tx)).toISOString();
    const events: NoticeEvent[] = [{ type: "report", at, runId: null, planId: null, ...report }];
    await insertDelivery(tx, { id: deliveryId, destinationId, events, count: 1, runId });
    return { id: deliveryId, runId };
  });
  return { deliveryId: id, status, sentence: report.sentence };
}

const takes = ({ enabled, kind, workflows }: DestinationRow, report: Report): boolean =>
  enabled &&
  !PAGES.includes(kind) &&
  (workflows === null || report.workflows.every((workflow) => workflows.includes(workflow)));

const reportOn = (db: Db, about: About): Promise<Report> =>
  "problemId" in about ? onProblem(db, about.problemId) : onOperation(db, about.operationId);

async function onProblem(db: Db, problemId: string): Promise<Report> {
  const { workflow, step, errorName, status, openRuns, failures, probe } = await readProblem(db, problemId);
  const at = step === null ? "" : ` at ${plainName(step)}`;
  const numbers = [
    status,
    `${plural(openRuns, "run")} affected`,
    plural(failures, "failure"),
    ...(probe?.status === "through" ? [`a probe came through at ${minuteOf(probe.endedAt)}`] : []),
    ...(probe?.status === "failed" ? [`${plural(probe.tries.length, "probe")} failed again`] : []),
  ];
  const sentence = `${plainName(workflow)} fails${at}: ${plainName(errorName)}: ${numbers.join(", ")}`;
  return { sentence, workflows: [workflow], step, problemId, operationId: null };
}

async function onOperation(db: Db, operationId: string): Promise<Report> {
  const { act, params, counts, status, workflows, runs } = await readOperationAndRuns(db, operationId);
  const rest = counts.total - counts.done;
  const numbers = [
    `${counts.done} done`,
    ...(rest > 0 ? [`${rest} not`] : []),
    ...(runs.underWay > 0 ? [`${runs.underWay} in progress`] : []),
    ...(runs.needPerson > 0 ? [`${runs.needPerson} need attention`] : []),
  ];
  const proof = counts.total > PROVEN_AT_MOST ? null : await prove(db, operationId);
  const of = workflows.length === 1 ? plainName(workflows[0] ?? "") : plural(workflows.length, "workflow");
  const what = `${WORDS[act].plan.verb(params)} ${plural(counts.total, "run")} of ${of}`;
  const sentence = `${what} (${status}): ${numbers.join(", ")}${proof ? proofWords(proof) : ""}`;
  return { sentence, workflows, step: null, problemId: null, operationId };
}

async function prove(db: Db, operationId: string): Promise<Proof> {
  const pages: ProofPage[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await proveOperation(db, operationId, { cursor, limit: PAGE });
    pages.push(page);
    if (page.nextCursor === null) return addUp(pages);
    cursor = page.nextCursor;
  }
}

function proofWords({ steps, lostAtEnd }: Proof): string {
  const named = steps.slice(0, NAMED_STEPS).map(({ step, happened, keys, maybeTwice, open }) => {
    const name = step === null ? "other steps" : plainName(step);
    const isOpen = open > 0 ? `, ${open} open` : "";
    return `; ${name}: ${happened} happened, ${plural(keys, "key")}, ${maybeTwice} maybe twice${isOpen}`;
  });
  const rest = steps.length - named.length;
  const lost = lostAtEnd > 0 ? `; ${plural(lostAtEnd, "run")} with a worker lost after the last recorded outcome` : "";
  return `${named.join("")}${rest > 0 ? `; and ${plural(rest, "more step")}` : ""}${lost}`;
}
