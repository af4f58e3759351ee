import { type Asker, ownerOf } from "../../access/asker";
import { HandrailError } from "../../engine/errors";
import { may } from "../../engine/permission";
import * as views from "../../operator/saved-views";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listViews = route(endpoints.listViews, async ({ asker, server }) => ({
  status: 200,
  body: await views.readSavedViews(server.db, viewOwner(asker)),
}));

export const saveView = route(endpoints.saveView, async ({ asker, desk, body }) => ({
  status: 201,
  body: await views.saveView(desk, viewOwner(asker), body),
}));

export const changeView = route(endpoints.changeView, async ({ asker, desk, params, body }) => ({
  status: 200,
  body: await views.changeView(desk, viewOwner(asker), { ...params, ...body }),
}));

export const deleteView = route(endpoints.deleteView, async ({ asker, desk, params, body }) => ({
  status: 200,
  body: await views.deleteView(desk, viewOwner(asker), { ...params, ...body }),
}));

function viewOwner(asker: Asker | null): views.ViewOwner {
  if (!asker) throw new HandrailError("unauthenticated", "Sign in first.");
  return { id: ownerOf(asker), mayShare: may(asker, "view.share").open, workflows: asker.workflows };
}
