import { addressPart } from "../engine/address-part";
import type { ErrorCode } from "../engine/errors";
import type { FlowWindow } from "../engine/rollup";
import type { RunSort } from "../engine/run";
import type { AuditChain, AuditFilter, AuditListResponse } from "./contract/audit";
import type { EffectFilter, EffectListResponse, RunEffectsResponse } from "./contract/effects";
import type { ChildListResponse } from "./contract/family";
import type { DatabaseHealth, Flow, FlowQuery, WorkflowFlow } from "./contract/flow";
import type { RunLogResponse } from "./contract/log";
import type {
  Execution,
  ExecutionRequest,
  Operation,
  OperationActRequest,
  OperationAndRuns,
  OperationItemListResponse,
  OperationListResponse,
  OperationRateRequest,
} from "./contract/operations";
import type {
  Plan,
  PlanApproval,
  PlanApprovalAnswer,
  PlanApprovalListResponse,
  PlanApprovalRequest,
  PlanItemListResponse,
  PlanRequest,
} from "./contract/plans";
import type { ProblemDetail, ProblemFilter, ProblemListResponse } from "./contract/problems";
import type {
  AnswerRequest,
  AssignmentRequest,
  CompensationFilter,
  IntakeClosureRequest,
  IntakeOpeningRequest,
  LimitsRequest,
  ResumptionRequest,
  RunFilter,
  StartRunRequest,
  UnmaskingRequest,
} from "./contract/requests";
import type {
  ApprovalListResponse,
  AssigneeListResponse,
  CompensationCountsResponse,
  CompensationListResponse,
  ErrorResponse,
  OverviewResponse,
  RetentionResponse,
  RunCountsResponse,
  RunHistogram,
  RunListResponse,
  WorkerListResponse,
  WorkflowListResponse,
  WorkflowView,
} from "./contract/responses";
import type { Run } from "./contract/run";
import type {
  BackfillPreview,
  BackfillRequest,
  Schedule,
  ScheduleActRequest,
  ScheduleActResponse,
  ScheduleEditRequest,
  ScheduleListResponse,
} from "./contract/schedules";
import type { SearchResponse } from "./contract/search";
import type { StepListResponse, StepResponse } from "./contract/steps";

/** What the API refused or could not do. `message` is a sentence for the person in front of the screen. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly code: ErrorCode | "unreachable",
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** Names the request in the server's log; null when no answer came. */
    readonly requestId: string | null = null,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export interface Page {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Which runs, in which order (default: newest), and what of their values to pick. */
export type RunsAsked = RunFilter & { sort?: RunSort | undefined; paths?: string[] | undefined };

/** How much of a run. */
export interface RunPart {
  /** Steps at the most; default and bound: 5,000. */
  steps?: number | undefined;
}

/** Which of a run's children. */
type ChildPage = Page & Pick<RunFilter, "status">;

/** Which effects of a run. */
type RunEffectsPage = Page & Pick<EffectFilter, "verdict">;

export interface ReadOptions {
  /** Gives the request up. */
  signal?: AbortSignal;
}

export type PlanItemPage = Page & { list?: "all" | "included" | "left_out" | undefined };

/** Everything the console reads. The browser asks over HTTP, a page rendered on the server asks the store at once. */
export interface Reads {
  runs(asked: RunsAsked & Page, options?: ReadOptions): Promise<RunListResponse>;
  runCounts(filter: RunFilter, options?: ReadOptions): Promise<RunCountsResponse>;
  runHistogram(filter: RunFilter, options?: ReadOptions): Promise<RunHistogram>;
  run(runId: string, options?: ReadOptions & RunPart): Promise<Run>;
  steps(runId: string, page: Page, options?: ReadOptions): Promise<StepListResponse>;
  step(runId: string, name: string, options?: ReadOptions): Promise<StepResponse>;
  runLog(runId: string, page: Page & { q?: string | undefined }, options?: ReadOptions): Promise<RunLogResponse>;
  children(runId: string, page: ChildPage, options?: ReadOptions): Promise<ChildListResponse>;
  runEffects(runId: string, page: RunEffectsPage, options?: ReadOptions): Promise<RunEffectsResponse>;
  effects(page: EffectFilter & Page, options?: ReadOptions): Promise<EffectListResponse>;
  overview(options?: ReadOptions): Promise<OverviewResponse>;
  flow(asked: FlowQuery, options?: ReadOptions): Promise<Flow>;
  workflowFlow(workflow: string, window: FlowWindow, options?: ReadOptions): Promise<WorkflowFlow>;
  databaseHealth(options?: ReadOptions): Promise<DatabaseHealth>;
  compensations(page: CompensationFilter & Page, options?: ReadOptions): Promise<CompensationListResponse>;
  compensationCounts(
    filter: Omit<CompensationFilter, "lane">,
    options?: ReadOptions,
  ): Promise<CompensationCountsResponse>;
  approvals(page: Page, options?: ReadOptions): Promise<ApprovalListResponse>;
  workers(options?: ReadOptions): Promise<WorkerListResponse>;
  workflows(options?: ReadOptions): Promise<WorkflowListResponse>;
  retention(options?: ReadOptions): Promise<RetentionResponse>;
  audit(page: AuditFilter & Page, options?: ReadOptions): Promise<AuditListResponse>;
  auditChain(options?: ReadOptions): Promise<AuditChain>;
  schedules(page: Page, options?: ReadOptions): Promise<ScheduleListResponse>;
  schedule(name: string, options?: ReadOptions): Promise<Schedule>;
  backfillPreview(name: string, range: { from: string; to: string }, options?: ReadOptions): Promise<BackfillPreview>;
  /** Whatever carries this id, key or name. */
  search(asked: { q: string }, options?: ReadOptions): Promise<SearchResponse>;
  problems(page: ProblemFilter & Page, options?: ReadOptions): Promise<ProblemListResponse>;
  problem(problemId: string, options?: ReadOptions): Promise<ProblemDetail>;
  plan(planId: string, options?: ReadOptions): Promise<Plan>;
  planApprovals(page: Page, options?: ReadOptions): Promise<PlanApprovalListResponse>;
  planItems(planId: string, page: PlanItemPage, options?: ReadOptions): Promise<PlanItemListResponse>;
  operations(page: Page & Pick<RunFilter, "workflow">, options?: ReadOptions): Promise<OperationListResponse>;
  operation(operationId: string, options?: ReadOptions): Promise<OperationAndRuns>;
  operationItems(
    operationId: string,
    page: Page & { list?: "all" | "others" | undefined },
    options?: ReadOptions,
  ): Promise<OperationItemListResponse>;
}

/** A mutation as it is sent: the same key sent twice is done once. */
export interface Sent<Request> {
  request: Request;
  /** Minted when the person begins (a dialog opens), so that a double click and a retry are one act. */
  idempotencyKey: string;
}

export const newIdempotencyKey = () => crypto.randomUUID();

export const STREAM_PATH = "/api/v1/stream";

const BASE = "/api/v1";

export const reads: Reads = {
  runs: (filter, options) => get(`/runs${filterQuery(filter)}`, options),
  runCounts: (filter, options) => get(`/runs/counts${filterQuery(filter)}`, options),
  runHistogram: (filter, options) => get(`/runs/histogram${filterQuery(filter)}`, options),
  run: (runId, { steps, ...options } = {}) => get(`${runPath(runId)}${filterQuery({ steps })}`, options),
  steps: (runId, page, options) => get(`${runPath(runId)}/steps${filterQuery(page)}`, options),
  step: (runId, name, options) => get(`${runPath(runId)}/steps/${addressPart(name)}`, options),
  runLog: (runId, page, options) => get(`/runs/${encodeURIComponent(runId)}/logs${filterQuery(page)}`, options),
  children: (runId, page, options) => get(`${runPath(runId)}/children${filterQuery(page)}`, options),
  runEffects: (runId, page, options) => get(`${runPath(runId)}/effects${filterQuery(page)}`, options),
  effects: (page, options) => get(`/effects${filterQuery(page)}`, options),
  overview: (options) => get("/overview", options),
  flow: (asked, options) => get(`/flow${filterQuery(asked)}`, options),
  workflowFlow: (workflow, window, options) => get(`${workflowPath(workflow)}/flow?window=${window}`, options),
  databaseHealth: (options) => get("/database", options),
  compensations: (page, options) => get(`/compensations${filterQuery(page)}`, options),
  compensationCounts: (filter, options) => get(`/compensations/counts${filterQuery(filter)}`, options),
  approvals: (page, options) => get(`/approvals${filterQuery(page)}`, options),
  workers: (options) => get("/workers", options),
  workflows: (options) => get("/workflows", options),
  retention: (options) => get("/retention", options),
  audit: (page, options) => get(`/audit${filterQuery(page)}`, options),
  auditChain: (options) => get("/audit/chain", options),
  schedules: (page, options) => get(`/schedules${filterQuery(page)}`, options),
  schedule: (name, options) => get(schedulePath(name), options),
  backfillPreview: (name, range, options) =>
    get(`${schedulePath(name)}/backfills?${new URLSearchParams(range)}`, options),
  search: ({ q }, options) => get(`/search${filterQuery({ q })}`, options),
  problems: (page, options) => get(`/problems${filterQuery(page)}`, options),
  problem: (problemId, options) => get(problemPath(problemId), options),
  plan: (planId, options) => get(planPath(planId), options),
  planApprovals: (page, options) => get(`/plan-approvals${filterQuery(page)}`, options),
  planItems: (planId, page, options) => get(`${planPath(planId)}/items${filterQuery(page)}`, options),
  operations: (page, options) => get(`/operations${filterQuery(page)}`, options),
  operation: (operationId, options) => get(operationPath(operationId), options),
  operationItems: (operationId, page, options) =>
    get(`${operationPath(operationId)}/items${filterQuery(page)}`, options),
};

const schedulePath = (name: string) => `/schedules/${encodeURIComponent(name)}`;
const workflowPath = (workflow: string) => `/workflows/${encodeURIComponent(workflow)}`;
const problemPath = (problemId: string) => `/problems/${encodeURIComponent(problemId)}`;
const planPath = (planId: string) => `/plans/${encodeURIComponent(planId)}`;
const operationPath = (operationId: string) => `/operations/${encodeURIComponent(operationId)}`;
const runPath = (runId: string) => `/runs/${encodeURIComponent(runId)}`;

/** Where a browser downloads a ledger: a run's, or that of what a filter finds. */
export const effectsExport = {
  ofRun: (runId: string, format: ExportFormat) => `${BASE}${runPath(runId)}/effects/export?format=${format}`,
  of: (filter: EffectFilter, format: ExportFormat) => `${BASE}/effects/export${filterQuery({ ...filter, format })}`,
};

/** Where a browser downloads what a filter of the audit finds. */
export const auditExport = (filter: AuditFilter, format: ExportFormat) =>
  `${BASE}/audit/export${filterQuery({ ...filter, format })}`;

/** Where a browser downloads what an operation has come to, with every effect. */
export const operationReport = (operationId: string, format: ExportFormat) =>
  `${BASE}${operationPath(operationId)}/report?format=${format}`;

export type ExportFormat = "csv" | "ndjson";

/** Everything the console does; each answers with the run, or the workflow, as it stands after. */
export const acts = {
  startRun: (sent: Sent<StartRunRequest>) => post<Run>("/runs", sent),
  changeLimits: (workflow: string, sent: Sent<LimitsRequest>) =>
    post<WorkflowView>(`${workflowPath(workflow)}/limits`, sent),
  closeIntake: (workflow: string, sent: Sent<IntakeClosureRequest>) =>
    post<WorkflowView>(`${workflowPath(workflow)}/intake/closure`, sent),
  openIntake: (workflow: string, sent: Sent<IntakeOpeningRequest>) =>
    post<WorkflowView>(`${workflowPath(workflow)}/intake/opening`, sent),
  pause: (runId: string, sent: Sent<ResumptionRequest>) => post<Run>(`${runPath(runId)}/pause`, sent),
  resume: (runId: string, sent: Sent<ResumptionRequest>) => post<Run>(`${runPath(runId)}/resumption`, sent),
  unmask: (runId: string, sent: Sent<UnmaskingRequest>) => post<Run>(`${runPath(runId)}/unmasking`, sent),
  assign: (runId: string, step: string, sent: Sent<AssignmentRequest>) =>
    post<Run>(`${runPath(runId)}/compensations/${addressPart(step)}/assignment`, sent),
  answerApproval: (runId: string, step: string, sent: Sent<AnswerRequest>) =>
    post<Run>(`${runPath(runId)}/approvals/${addressPart(step)}/answer`, sent),
};

/** Who can be given the undos of a workflow. */
export const assigneesOf = (workflow: string, options?: ReadOptions) =>
  get<AssigneeListResponse>(`${workflowPath(workflow)}/assignees`, options);

/** From a plan to its operation; each answers with the plan, or the operation, as it stands after. */
export const operationActs = {
  /** Changes nothing: it needs no key. */
  plan: (request: PlanRequest, { signal }: ReadOptions = {}) =>
    ask<Plan>("POST", "/plans", { body: request, ...(signal && { signal }) }),
  requestApproval: (planId: string, sent: Sent<PlanApprovalRequest>) =>
    post<PlanApproval>(`${planPath(planId)}/approval`, sent),
  answerApproval: (planId: string, sent: Sent<PlanApprovalAnswer>) =>
    post<PlanApproval>(`${planPath(planId)}/approval/answer`, sent),
  execute: (planId: string, sent: Sent<ExecutionRequest>) => post<Execution>(`${planPath(planId)}/executions`, sent),
  pause: (id: string, sent: Sent<OperationActRequest>) => post<Operation>(`${operationPath(id)}/pause`, sent),
  resume: (id: string, sent: Sent<OperationActRequest>) => post<Operation>(`${operationPath(id)}/resumption`, sent),
  abort: (id: string, sent: Sent<OperationActRequest>) => post<Operation>(`${operationPath(id)}/abortion`, sent),
  changeRate: (id: string, sent: Sent<OperationRateRequest>) => post<Operation>(`${operationPath(id)}/rate`, sent),
};

/** Everything the console does to a schedule; each answers with it as it stands after, and the runs it started. */
export const scheduleActs = {
  pause: (name: string, sent: Sent<ScheduleActRequest>) =>
    post<ScheduleActResponse>(`${schedulePath(name)}/pause`, sent),
  resume: (name: string, sent: Sent<ScheduleActRequest>) =>
    post<ScheduleActResponse>(`${schedulePath(name)}/resumption`, sent),
  fire: (name: string, sent: Sent<ScheduleActRequest>) =>
    post<ScheduleActResponse>(`${schedulePath(name)}/firings`, sent),
  backfill: (name: string, sent: Sent<BackfillRequest>) =>
    post<ScheduleActResponse>(`${schedulePath(name)}/backfills`, sent),
  edit: (name: string, { request, idempotencyKey }: Sent<ScheduleEditRequest>) =>
    ask<ScheduleActResponse>("PUT", `${schedulePath(name)}/override`, { body: request, idempotencyKey }),
  reset: (name: string, sent: Sent<ScheduleActRequest>) =>
    post<ScheduleActResponse>(`${schedulePath(name)}/reset`, sent),
};

/** The demo's outside world, by its own paths, such as `payments/ledger` or `mail/faults`. Absent outside the demo (404). */
export const sandbox = {
  read: <Answer>(path: string, options?: ReadOptions) => get<Answer>(`/sandbox/${path}`, options),
  write: <Answer>(path: string, body: unknown) => ask<Answer>("PUT", `/sandbox/${path}`, { body }),
};

/** Their texts may hold commas: several are the parameter given again. */
const GIVEN_AGAIN: ReadonlySet<string> = new Set(["step", "error", "notStep", "notError"]);

/** A filter as the query string of the API: lists joined by commas, tags as `tag.NAME=value`. */
export function filterQuery(filter: object): string {
  const { tags, ...fields } = filter as RunFilter;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const texts = Array.isArray(value) && !GIVEN_AGAIN.has(name) ? [value.join(",")] : [value ?? ""].flat();
    for (const text of texts.map(String)) if (text !== "") query.append(name, text);
  }
  for (const [name, values] of Object.entries(tags ?? {}))
    for (const value of [values].flat()) query.append(`tag.${name}`, value);
  return query.size > 0 ? `?${query}` : "";
}

export const get = <Answer>(path: string, options: ReadOptions = {}) => ask<Answer>("GET", path, options);

export const post = <Answer>(path: string, { request, idempotencyKey }: Sent<unknown>) =>
  ask<Answer>("POST", path, { body: request, idempotencyKey });

interface Asked extends ReadOptions {
  body?: unknown;
  idempotencyKey?: string;
}

export async function ask<Answer>(method: "GET" | "POST" | "PUT", path: string, asked: Asked): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (asked.idempotencyKey !== undefined) headers["idempotency-key"] = asked.idempotencyKey;
  if (asked.body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(BASE + path, {
    method,
    headers,
    body: asked.body === undefined ? null : JSON.stringify(asked.body),
    signal: asked.signal ?? null,
  }).catch((cause: unknown) => {
    if (asked.signal?.aborted) throw cause;
    throw new ApiError("unreachable", "Handrail does not answer. Check that it is running, then try again.", 0);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || answer === undefined) throw refusal(response.status, answer);
  return answer as Answer;
}

function refusal(status: number, answer: unknown): ApiError {
  const error = (answer as Partial<ErrorResponse> | undefined)?.error;
  if (!error?.message) return new ApiError("internal", `Handrail answered with HTTP ${status} and no reason.`, status);
  return new ApiError(error.code, error.message, status, error.requestId, error.details);
}
