import { z } from "zod";
import type { Asker } from "../../access/asker";
import { ownerOf } from "../../access/asker";
import { may } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import * as views from "../../operator/saved-views";
import { doneResponse } from "../contract/access";
import { givenId } from "../contract/values";
import {
  savedViewSchema,
  viewChangeRequest,
  viewDeletionRequest,
  viewListResponse,
  viewRequest,
} from "../contract/views";
import { endpoint } from "../endpoint";

const ofId = z.strictObject({ id: givenId });
const MAX_VIEW_BYTES = 65_536;

export const listViews = endpoint(
  {
    method: "GET",
    path: "/v1/views",
    action: "run.read",
    summary: "Saved views of the runs page: the caller's, and those of the team",
    answer: viewListResponse,
    statuses: { 200: "The views, by name" },
  },
  async ({ asker, server }) => ({
    status: 200,
    body: await views.readSavedViews(server.db, viewOwner(asker)),
  }),
);

export const saveView = endpoint(
  {
    method: "POST",
    path: "/v1/views",
    action: "view.save",
    summary: "Save a view of the runs page: a name for its filters, columns and order",
    body: viewRequest,
    maxBodyBytes: MAX_VIEW_BYTES,
    answer: savedViewSchema,
    statuses: { 201: "The view" },
  },
  async ({ asker, desk, body }) => ({
    status: 201,
    body: await views.saveView(desk, viewOwner(asker), body),
  }),
);

export const changeView = endpoint(
  {
    method: "PUT",
    path: "/v1/views/{id}",
    action: "view.save",
    summary: "Rename a view, share it, or save what it shows now; refused when it has changed meanwhile",
    params: ofId,
    body: viewChangeRequest,
    maxBodyBytes: MAX_VIEW_BYTES,
    answer: savedViewSchema,
    statuses: { 200: "The view" },
  },
  async ({ asker, desk, params, body }) => ({
    status: 200,
    body: await views.changeView(desk, viewOwner(asker), { ...params, ...body }),
  }),
);

export const deleteView = endpoint(
  {
    method: "POST",
    path: "/v1/views/{id}/deletion",
    action: "view.save",
    summary: "Delete a view",
    params: ofId,
    body: viewDeletionRequest,
    answer: doneResponse,
    statuses: { 200: "The view is deleted" },
  },
  async ({ asker, desk, params, body }) => ({
    status: 200,
    body: await views.deleteView(desk, viewOwner(asker), { ...params, ...body }),
  }),
);

function viewOwner(asker: Asker | null): views.ViewOwner {
  if (!asker) throw new HandrailError("unauthenticated", "Sign in first.");
  return { id: ownerOf(asker), mayShare: may(asker, "view.share").open, workflows: asker.workflows };
}
