import * as acting from "../../operator/problems";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listProblems = route(endpoints.listProblems, async ({ query, reads }) => ({
  status: 200,
  body: await reads.problems(query),
}));

export const getProblem = route(endpoints.getProblem, async ({ params, reads }) => ({
  status: 200,
  body: await reads.problem(params.problemId),
}));

export const assignProblem = route(endpoints.assignProblem, async ({ desk, params, body, server: { env } }) => ({
  status: 200,
  body: await acting.assignAProblem(desk, { ...params, ...body, signIn: env.signIn, inDemo: env.demo }),
}));

export const noteProblem = route(endpoints.noteProblem, async ({ desk, params, body }) => ({
  status: 200,
  body: await acting.noteOnProblem(desk, { ...params, reason: body.text }),
}));

export const muteProblem = route(endpoints.muteProblem, async ({ desk, params, body }) => ({
  status: 200,
  body: await acting.muteAProblem(desk, { ...params, ...body }),
}));

export const resolveProblem = route(endpoints.resolveProblem, async ({ desk, params, body }) => ({
  status: 200,
  body: await acting.resolveAProblem(desk, { ...params, ...body }),
}));

export const reopenProblem = route(endpoints.reopenProblem, async ({ desk, params, body }) => ({
  status: 200,
  body: await acting.reopenAProblem(desk, { ...params, ...body }),
}));
