import type { Endpoint } from "../../lib/api/endpoint";
import type { World } from "./oracle-scene";

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/**
 * Not about a run's words: callers, other programs' runs, and the installation. None of the reads below returns them;
 * metrics measure time and this process, and their words are names that code chose (lib/operator/metrics/metrics.db.test.ts).
 */
export const OF_NO_RUN =
  /^\w+ \/(v1\/(worker\/|session|demo|set-up|people|tokens|sessions|destinations|deploys|alerts|alert-preview|views|cells|sandbox|stream|openapi|database|metrics)|health)/;

/**
 * What the tables below place successfully, by endpoint. An endpoint that accepts text and is not listed fails the
 * test.
 */
export const PLACED: Record<string, (world: World) => [path: string, body: object]> = {
  "POST /v1/runs/{runId}/events": ({ runs, word }) => [
    `/v1/runs/${runs.asking}/events`,
    { name: "paid", id: word.text, payload: { guesses: [word.text, word.number], [word.text]: 1 }, reason: word.text },
  ],
  "POST /v1/events": ({ word, workflow }) => [
    "/v1/events",
    { name: `paid-${workflow}`, id: word.text, key: word.text, payload: word.text },
  ],
  "POST /v1/runs/{runId}/steps/{step}/resolution": ({ runs, word }) => [
    `/v1/runs/${runs.unknown}/steps/charge-payment/resolution`,
    { outcome: "happened", output: { id: word.text, pin: word.number }, reference: word.text, reason: word.text },
  ],
  "POST /v1/runs/{runId}/compensations/{step}/resolution": ({ runs, word }) => [
    `/v1/runs/${runs.compensating}/compensations/send-confirmation/resolution`,
    { outcome: "compensated", note: word.text, reference: word.text, evidence: `https://x.org/${word.text}` },
  ],
  "POST /v1/runs/{runId}/approvals/{step}/answer": ({ runs, word }) => [
    `/v1/runs/${runs.asking}/approvals/ask/answer`,
    { choice: "yes", note: word.text },
  ],
  "POST /v1/runs/{runId}/pause": ({ runs, word }) => [`/v1/runs/${runs.asleep}/pause`, { reason: word.text }],
  "POST /v1/runs/{runId}/resumption": ({ runs, word }) => [`/v1/runs/${runs.asleep}/resumption`, { reason: word.text }],
  "POST /v1/runs/{runId}/cancellation": ({ runs, word }) => [
    `/v1/runs/${runs.asleep}/cancellation`,
    { reason: word.text },
  ],
  "POST /v1/runs/{runId}/snooze": ({ runs, word }) => [`/v1/runs/${runs.failed}/snooze`, { reason: word.text }],
  "POST /v1/runs/{runId}/reruns": ({ runs, word }) => [`/v1/runs/${runs.failed}/reruns`, { reason: word.text }],
  "POST /v1/runs/{runId}/compensations": ({ runs, word }) => [
    `/v1/runs/${runs.completed}/compensations`,
    { reason: word.text },
  ],
  "POST /v1/problems/{problemId}/notes": ({ problemId, word }) => [
    `/v1/problems/${problemId}/notes`,
    { text: word.text },
  ],
  "POST /v1/problems/{problemId}/probes": ({ problemId, runs, word }) => [
    `/v1/problems/${problemId}/probes`,
    { runId: runs.probed, reason: word.text },
  ],
  "POST /v1/problems/{problemId}/probes/end": ({ problemId, word }) => [
    `/v1/problems/${problemId}/probes/end`,
    { reason: word.text },
  ],
  "POST /v1/problems/{problemId}/mute": ({ problemId, word }) => [
    `/v1/problems/${problemId}/mute`,
    { forMs: 3_600_000, reason: word.text },
  ],
  "POST /v1/problems/{problemId}/resolution": ({ problemId, word }) => [
    `/v1/problems/${problemId}/resolution`,
    { reason: word.text },
  ],
  "POST /v1/problems/{problemId}/reopening": ({ problemId, word }) => [
    `/v1/problems/${problemId}/reopening`,
    { reason: word.text },
  ],
  "POST /v1/schedules/{name}/firings": ({ schedule, word }) => [
    `/v1/schedules/${schedule}/firings`,
    { reason: word.text },
  ],
  "POST /v1/schedules/{name}/pause": ({ schedule, word }) => [`/v1/schedules/${schedule}/pause`, { reason: word.text }],
  "POST /v1/schedules/{name}/resumption": ({ schedule, word }) => [
    `/v1/schedules/${schedule}/resumption`,
    { reason: word.text },
  ],
  "PUT /v1/schedules/{name}/override": ({ schedule, word }) => [
    `/v1/schedules/${schedule}/override`,
    { everyMs: 86_400_000, input: { note: word.text }, reason: word.text },
  ],
  "POST /v1/schedules/{name}/reset": ({ schedule, word }) => [`/v1/schedules/${schedule}/reset`, { reason: word.text }],
  "PUT /v1/schedules/{name}": ({ workflow, word }) => [
    `/v1/schedules/anew-${workflow}`,
    { workflow, title: word.text, everyMs: 86_400_000, input: { note: word.text }, reason: word.text },
  ],
  "POST /v1/workflows/{workflow}/intake/closure": ({ workflow, word }) => [
    `/v1/workflows/${workflow}/intake/closure`,
    { holds: "all", reason: word.text },
  ],
  "POST /v1/plans": ({ runs, word }) => [
    "/v1/plans",
    { act: "rerun", params: { fromStep: word.text }, selection: { runIds: [runs.failed] } },
  ],
};

/**
 * Tried with words in every field below, and refused or without a trace in a run; starts create runs of the caller
 * only.
 */
export const ONLY_TRIED = new Set([
  "GET /v1/audit",
  "GET /v1/audit/export",
  "GET /v1/compensations",
  "GET /v1/compensations/counts",
  "GET /v1/workflows/{workflow}/assignees",
  "GET /v1/runs/{runId}/effects",
  "GET /v1/runs/{runId}/effects/export",
  "GET /v1/effects",
  "GET /v1/effects/export",
  "GET /v1/approvals",
  "GET /v1/flow",
  "GET /v1/workflows/{workflow}/flow",
  "GET /v1/workflows/{workflow}/changes",
  "GET /v1/workflows/{workflow}/verifications",
  "POST /v1/workflows/{workflow}/verifications",
  "GET /v1/operations",
  "GET /v1/operations/{operationId}",
  "GET /v1/operations/{operationId}/items",
  "GET /v1/operations/{operationId}/proof",
  "GET /v1/operations/{operationId}/report",
  "GET /v1/plans/{planId}",
  "GET /v1/plans/{planId}/items",
  "GET /v1/plan-approvals",
  "GET /v1/problems",
  "GET /v1/problems/{problemId}",
  "GET /v1/problems/{problemId}/tried",
  "GET /v1/problems/{problemId}/shares",
  "GET /v1/operations/{operationId}/shares",
  "POST /v1/problems/{problemId}/shares",
  "POST /v1/operations/{operationId}/shares",
  "GET /v1/problems/{problemId}/probe-candidate",
  "GET /v1/runs",
  "GET /v1/runs/counts",
  "GET /v1/runs/histogram",
  "GET /v1/runs/{runId}",
  "GET /v1/runs/{runId}/steps",
  "GET /v1/runs/{runId}/steps/{step}",
  "GET /v1/runs/{runId}/normal",
  "GET /v1/runs/{runId}/logs",
  "GET /v1/runs/{runId}/spans",
  "GET /v1/runs/{runId}/children",
  "GET /v1/runs/{runId}/result",
  "GET /v1/runs/{runId}/published/{name}",
  "GET /v1/runs/{runId}/value",
  "GET /v1/schedules",
  "GET /v1/schedules/{name}",
  "GET /v1/schedules/{name}/backfills",
  // The one here is defined by code.
  "POST /v1/schedules/{name}/removal",
  "GET /v1/search",
  "GET /v1/logs",
  "POST /v1/runs",
  "POST /v1/runs/batch",
  "POST /v1/runs/{runId}/unmasking",
  // Of admins; the runs here have not ended, or lose their words.
  "POST /v1/runs/{runId}/deletion",
  "POST /v1/runs/{runId}/erasure",
  "POST /v1/runs/{runId}/wakeups",
  "POST /v1/workflows/{workflow}/limits",
  "POST /v1/runs/{runId}/compensations/{step}/assignment",
  "POST /v1/plans/{planId}/executions",
  "POST /v1/plans/{planId}/approval",
  "POST /v1/plans/{planId}/approval/answer",
  "POST /v1/operations/{operationId}/pause",
  "POST /v1/operations/{operationId}/resumption",
  "POST /v1/operations/{operationId}/abortion",
  "POST /v1/operations/{operationId}/rate",
  "POST /v1/problems/{problemId}/assignment",
  "POST /v1/problems/{problemId}/watch",
  "POST /v1/problems/{problemId}/watch/end",
  "POST /v1/problems/{problemId}/watch/seen",
  "POST /v1/schedules/{name}/backfills",
  "POST /v1/workflows/{workflow}/intake/opening",
]);
