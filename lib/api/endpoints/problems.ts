import { previewReport, sendReport } from "../../operator/notices/send-report";
import { readProbeCandidate, startProbe, stopProbe } from "../../operator/probes/start-probe";
import { readTried } from "../../operator/probes/tried-view";
import { readProblem, readProblems } from "../../operator/problem-view";
import * as acting from "../../operator/problems";
import { narrowed, ownActs, sighted } from "../access/narrow";
import { demandPermission } from "../access/permission";
import { doneResponse } from "../contract/access";
import { reportPreviewSchema, reportRequest, sentReportSchema } from "../contract/destinations";
import {
  probeCandidateSchema,
  problemAssignmentRequest,
  problemDetailSchema,
  problemListQuery,
  problemListResponse,
  problemMuteRequest,
  problemNoteRequest,
  problemProbeRequest,
  problemProbeStopRequest,
  problemReopeningRequest,
  problemResolutionRequest,
  problemSeenRequest,
  problemTriedSchema,
  problemWatchRequest,
} from "../contract/problems";
import { endpoint } from "../endpoint";
import { ofProblem } from "./params";

export const listProblems = endpoint(
  {
    method: "GET",
    path: "/v1/problems",
    action: "problem.read",
    summary: "Failures that are alike, latest first",
    query: problemListQuery,
    answer: problemListResponse,
    statuses: { 200: "A page of problems" },
  },
  async ({ query, server, desk, permissions }) => ({
    status: 200,
    body: await readProblems(server.db, sighted(permissions, narrowed(permissions, query, "problem.read")), desk.owner),
  }),
);

export const getProblem = endpoint(
  {
    method: "GET",
    path: "/v1/problems/{problemId}",
    action: "problem.read",
    summary: "A problem with its versions, history and charts",
    params: ofProblem,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ params, server, desk, permissions }) => {
    const problem = await readProblem(server.db, params.problemId, desk.owner);
    return { status: 200, body: { ...problem, acts: ownActs(permissions, "problem", problem) } };
  },
);

export const listProblemTried = endpoint(
  {
    method: "GET",
    path: "/v1/problems/{problemId}/tried",
    action: "problem.read",
    standby: false,
    summary: "What people and probes did on the runs of a problem, newest first",
    params: ofProblem,
    answer: problemTriedSchema,
    statuses: { 200: "The latest 50" },
  },
  async ({ params, server }) => ({ status: 200, body: await readTried(server.db, params.problemId) }),
);

export const getProbeCandidate = endpoint(
  {
    method: "GET",
    path: "/v1/problems/{problemId}/probe-candidate",
    action: "problem.read",
    standby: false,
    summary: "What a probe of a problem would rerun first, and how it would go on",
    params: ofProblem,
    answer: probeCandidateSchema,
    statuses: { 200: "The candidate, or why there is none" },
  },
  async ({ params, server }) => ({ status: 200, body: await readProbeCandidate(server.db, params.problemId) }),
);

/** The caller needs the permission for a rerun, too. */
export const probeProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/probes",
    action: "problem.probe",
    summary: "Rerun one affected run after another, with pauses that grow, until one gets through",
    params: ofProblem,
    body: problemProbeRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem, with the probe under way" },
  },
  async ({ desk, params, body, asker, server }) => {
    await demandPermission({ action: "run.rerun", method: "POST" }, asker, desk, { params, body });
    return { status: 200, body: await startProbe({ ...desk, code: server.code }, { ...params, ...body }) };
  },
);

export const stopProblemProbe = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/probes/end",
    action: "problem.stop_probe",
    summary: "Stop the probe of a problem; a rerun that is under way goes on",
    params: ofProblem,
    body: problemProbeStopRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body }) => ({ status: 200, body: await stopProbe(desk, { ...params, ...body }) }),
);

export const assignProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/assignment",
    action: "problem.assign",
    summary: "Assign a problem, or unassign it",
    params: ofProblem,
    body: problemAssignmentRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body, server: { env } }) => ({
    status: 200,
    body: await acting.assignAProblem(desk, { ...params, ...body, signIn: env.signIn, inDemo: env.demo }),
  }),
);

export const noteProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/notes",
    action: "problem.note",
    summary: "Add a note to a problem",
    params: ofProblem,
    body: problemNoteRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await acting.noteOnProblem(desk, { ...params, reason: body.text }),
  }),
);

export const muteProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/mute",
    action: "problem.mute",
    summary: "Mute a problem: permanently, for a time, or until so many more failures",
    params: ofProblem,
    body: problemMuteRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await acting.muteAProblem(desk, { ...params, ...body }),
  }),
);

export const resolveProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/resolution",
    action: "problem.resolve",
    summary: "Resolve a problem; the next failure opens it again",
    params: ofProblem,
    body: problemResolutionRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await acting.resolveAProblem(desk, { ...params, ...body }),
  }),
);

export const reopenProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/reopening",
    action: "problem.reopen",
    summary: "Open a problem that is muted or resolved",
    params: ofProblem,
    body: problemReopeningRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await acting.reopenAProblem(desk, { ...params, ...body }),
  }),
);

export const watchProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/watch",
    action: "problem.watch",
    summary: "Watch a problem: the caller's lists mark it when it changes",
    params: ofProblem,
    body: problemWatchRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, permissions }) => {
    const problem = await acting.watchAProblem(desk, params.problemId);
    return { status: 200, body: { ...problem, acts: ownActs(permissions, "problem", problem) } };
  },
);

export const unwatchProblem = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/watch/end",
    action: "problem.unwatch",
    summary: "Stop watching a problem",
    params: ofProblem,
    body: problemWatchRequest,
    answer: problemDetailSchema,
    statuses: { 200: "The problem" },
  },
  async ({ desk, params, permissions }) => {
    const problem = await acting.unwatchAProblem(desk, params.problemId);
    return { status: 200, body: { ...problem, acts: ownActs(permissions, "problem", problem) } };
  },
);

export const markProblemSeen = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/watch/seen",
    action: "problem.watch",
    summary: "The caller has seen the history of a problem that they watch, up to an entry",
    params: ofProblem,
    body: problemSeenRequest,
    answer: doneResponse,
    statuses: { 200: "Its lists mark it only for later entries" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await acting.markProblemSeen(desk, params.problemId, body.entry),
  }),
);

export const previewProblemReport = endpoint(
  {
    method: "GET",
    path: "/v1/problems/{problemId}/shares",
    action: "report.send",
    summary: "What a report on a problem would say, and who takes it",
    params: ofProblem,
    answer: reportPreviewSchema,
    statuses: { 200: "The sentence and the destinations" },
  },
  async ({ params, server }) => ({ status: 200, body: await previewReport(server.db, params) }),
);

export const sendProblemReport = endpoint(
  {
    method: "POST",
    path: "/v1/problems/{problemId}/shares",
    action: "report.send",
    summary: "Send a report on a problem to a destination",
    params: ofProblem,
    body: reportRequest,
    answer: sentReportSchema,
    statuses: { 202: "The delivery, which a worker sends" },
  },
  async ({ desk, params, body }) => ({ status: 202, body: await sendReport(desk, { about: params, ...body }) }),
);
