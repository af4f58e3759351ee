import { post, type Sent } from "./client";
import type {
  ProblemAssignmentRequest,
  ProblemDetail,
  ProblemMuteRequest,
  ProblemNoteRequest,
  ProblemReopeningRequest,
  ProblemResolutionRequest,
} from "./contract/problems";

const ask =
  <Request>(what: string) =>
  (id: string, sent: Sent<Request>) =>
    post<ProblemDetail>(`/problems/${encodeURIComponent(id)}/${what}`, sent);

/** Everything the console does to a problem; each answers with it as it stands after. */
export const problemActs = {
  assign: ask<ProblemAssignmentRequest>("assignment"),
  note: ask<ProblemNoteRequest>("notes"),
  mute: ask<ProblemMuteRequest>("mute"),
  resolve: ask<ProblemResolutionRequest>("resolution"),
  reopen: ask<ProblemReopeningRequest>("reopening"),
};
