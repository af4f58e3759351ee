import { NOTHING, seesMasked } from "../../engine/permission";
import * as executing from "../../operator/execute-plan";
import * as exporting from "../../operator/export-operation";
import * as operating from "../../operator/operate";
import { readActOfPlan } from "../../operator/plan-view";
import { withRemote } from "../../remote/definition";
import { operationReportLine } from "../contract/operations";
import { download } from "../download";
import * as endpoints from "../endpoints";
import { maskRecords } from "../mask-answer";
import { demandPermission } from "../permission";
import { route } from "../route";

/** Whoever carries a plan out may do its act to every workflow that it is about. */
export const executePlan = route(endpoints.executePlan, async ({ desk, params, body, asker, server }) => {
  const act = await readActOfPlan(server.db, params.planId);
  await demandPermission({ action: `run.${act}`, method: "POST" }, asker, desk, { params, body });
  const definitionsOf = (name: string) => withRemote(server.db, server.workflows, name);
  return executing.executePlan(desk, definitionsOf, { ...params, ...body });
});

export const listOperations = route(endpoints.listOperations, async ({ query, reads }) => ({
  status: 200,
  body: await reads.operations(query),
}));

export const getOperation = route(endpoints.getOperation, async ({ params, reads }) => ({
  status: 200,
  body: await reads.operation(params.operationId),
}));

export const listOperationItems = route(endpoints.listOperationItems, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.operationItems(params.operationId, query),
}));

export const exportOperation = route(
  endpoints.exportOperation,
  async ({ params: { operationId }, query: { format }, reads, server, asker }) => {
    await reads.operation(operationId);
    const answered = { sees: seesMasked(asker ?? NOTHING) };
    return download(
      `operation-${operationId}`,
      format,
      await exporting.exportOperation(
        server.db,
        operationId,
        format,
        maskRecords(server.db, operationReportLine, answered),
      ),
    );
  },
);

export const pauseOperation = route(endpoints.pauseOperation, async ({ desk, params, body }) => ({
  status: 202,
  body: await operating.pauseOperation(desk, { ...params, ...body }),
}));

export const resumeOperation = route(endpoints.resumeOperation, async ({ desk, params, body }) => ({
  status: 202,
  body: await operating.resumeOperation(desk, { ...params, ...body }),
}));

export const abortOperation = route(endpoints.abortOperation, async ({ desk, params, body }) => ({
  status: 202,
  body: await operating.abortOperation(desk, { ...params, ...body }),
}));

export const changeOperationRate = route(endpoints.changeOperationRate, async ({ desk, params, body }) => ({
  status: 202,
  body: await operating.changeOperationRate(desk, { ...params, ...body }),
}));
