import { readProblem, readProblems } from "../../operator/problem-view";
import * as acting from "../../operator/problems";
import { narrowed, ownActs, sighted } from "../access/narrow";
import {
  problemAssignmentRequest,
  problemDetailSchema,
  problemListQuery,
  problemListResponse,
  problemMuteRequest,
  problemNoteRequest,
  problemReopeningRequest,
  problemResolutionRequest,
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
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readProblems(server.db, sighted(permissions, narrowed(permissions, query, "problem.read"))),
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
  async ({ params, server, permissions }) => {
    const problem = await readProblem(server.db, params.problemId);
    return { status: 200, body: { ...problem, acts: ownActs(permissions, "problem", problem) } };
  },
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
