import type { Asker } from "../../access/asker";
import { HandrailError } from "../../engine/errors";
import { may } from "../../engine/permission";
import * as views from "../../operator/saved-views";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listViews = route(endpoints.listViews, async ({ asker, server }) => ({
  status: 200,
  body: await views.readSavedViews(server.db, ownerOf(asker)),
}));

export const saveView = route(endpoints.saveView, async ({ asker, desk, body }) => ({
  status: 201,
  body: await views.saveView(desk, ownerOf(asker), body),
}));

export const changeView = route(endpoints.changeView, async ({ asker, desk, params, body }) => ({
  status: 200,
  body: await views.changeView(desk, ownerOf(asker), { ...params, ...body }),
}));

export const deleteView = route(endpoints.deleteView, async ({ asker, desk, params, body }) => ({
  status: 200,
  body: await views.deleteView(desk, ownerOf(asker), { ...params, ...body }),
}));

function ownerOf(asker: Asker | null): views.ViewOwner {
  if (!asker) throw new HandrailError("unauthenticated", "Sign in first.");
  const { personId, credentialId, ...permissions } = asker;
  const token = credentialId === null ? "anybody" : `token:${credentialId}`;
  return { id: personId === null ? token : `person:${personId}`, mayShare: may(permissions, "view.share").open };
}
