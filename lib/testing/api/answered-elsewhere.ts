import type { Endpoint } from "../../api/endpoint";
import * as endpoints from "../../api/endpoints";
import * as ofAccess from "../../api/endpoints/access";
import * as ofAlerts from "../../api/endpoints/alerts";
import * as ofAudit from "../../api/endpoints/audit";
import * as ofDeploys from "../../api/endpoints/deploys";
import * as ofDestinations from "../../api/endpoints/destinations";
import * as ofEffects from "../../api/endpoints/effects";
import * as ofFlow from "../../api/endpoints/flow";
import * as ofProblems from "../../api/endpoints/problems";
import * as ofProviderSignIn from "../../api/endpoints/provider-sign-in";
import * as ofRemoteWorkers from "../../api/endpoints/remote-workers";
import * as ofSchedules from "../../api/endpoints/schedules";
import * as ofSpans from "../../api/endpoints/spans";
import * as ofViews from "../../api/endpoints/views";
import * as ofCells from "../../api/fleet/cells";

/** Endpoints whose answers are checked against the contract in a test of their own subject, not in answers.db.test.ts. */
export const ANSWERED_ELSEWHERE: Endpoint[] = [
  ...[
    ofAudit,
    ofCells,
    ofAlerts,
    ofDeploys,
    ofDestinations,
    ofEffects,
    ofFlow,
    ofProblems,
    ofAccess,
    ofProviderSignIn,
    ofSchedules,
    ofSpans,
    ofViews,
    ofRemoteWorkers,
  ].flatMap((subject) => Object.values(subject) as Endpoint[]),
  endpoints.followChanges,
  endpoints.readSandbox,
  endpoints.changeSandbox,
  endpoints.beginProviderSignIn,
  endpoints.finishProviderSignIn,
  endpoints.requestPlanApproval,
  endpoints.answerPlanApproval,
  endpoints.listPlanApprovals,
  endpoints.driveRuns,
  endpoints.exportOperationReport,
  endpoints.getOperationProof,
  endpoints.search,
  endpoints.getRunHistogram,
  endpoints.getPublished,
  endpoints.getValue,
];
