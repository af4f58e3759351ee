import * as operating from "../../operator/schedules";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listSchedules = route(endpoints.listSchedules, async ({ query, reads }) => ({
  status: 200,
  body: await reads.schedules(query),
}));

export const getSchedule = route(endpoints.getSchedule, async ({ params, reads }) => ({
  status: 200,
  body: await reads.schedule(params.name),
}));

export const pauseSchedule = route(endpoints.pauseSchedule, async ({ desk, params, body }) => ({
  status: 200,
  body: await operating.pauseASchedule(desk, { ...params, ...body }),
}));

export const resumeSchedule = route(endpoints.resumeSchedule, async ({ desk, params, body }) => ({
  status: 200,
  body: await operating.resumeASchedule(desk, { ...params, ...body }),
}));

export const fireSchedule = route(endpoints.fireSchedule, async ({ desk, params, body, server }) => ({
  status: 202,
  body: await operating.fireNow(desk, server.workflows, { ...params, ...body }),
}));

export const previewBackfill = route(endpoints.previewBackfill, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.backfillPreview(params.name, query),
}));

export const backfillSchedule = route(endpoints.backfillSchedule, async ({ desk, params, body, server }) => ({
  status: 202,
  body: await operating.backfill(desk, server.workflows, { ...params, ...body }),
}));

export const editSchedule = route(endpoints.editSchedule, async ({ desk, params, body, server }) => ({
  status: 200,
  body: await operating.editASchedule(desk, server.workflows, { ...params, ...body }),
}));

export const resetSchedule = route(endpoints.resetSchedule, async ({ desk, params, body }) => ({
  status: 200,
  body: await operating.resetASchedule(desk, { ...params, ...body }),
}));
