// Every endpoint, one file per noun: the document and the handlers read them from here.

export * from "./endpoints/access";
export * from "./endpoints/alerts";
export * from "./endpoints/audit";
export * from "./endpoints/boards";
export * from "./endpoints/deploys";
export * from "./endpoints/destinations";
export * from "./endpoints/effects";
export * from "./endpoints/events-and-approvals";
export * from "./endpoints/flow";
export * from "./endpoints/metrics";
export * from "./endpoints/operations";
export * from "./endpoints/plans";
export * from "./endpoints/problems";
export * from "./endpoints/provider-sign-in";
export * from "./endpoints/remote-workers";
export * from "./endpoints/run-acts";
export * from "./endpoints/runs";
export * from "./endpoints/schedules";
export * from "./endpoints/search";
export * from "./endpoints/spans";
export * from "./endpoints/system";
export * from "./endpoints/views";
export * from "./endpoints/workers";
export * from "./endpoints/workflows";
export * from "./fleet/cells";
