import { ask, get, post, type ReadOptions, type Sent } from "./client";
import type { SavedView, ViewChangeRequest, ViewListResponse, ViewRequest } from "./contract/views";

/** Saved views of the runs page; each change answers with the view as it stands after. */
export const views = {
  list: (options?: ReadOptions) => get<ViewListResponse>("/views", options),
  save: (sent: Sent<ViewRequest>) => post<SavedView>("/views", sent),
  change: (id: string, { request, idempotencyKey }: Sent<ViewChangeRequest>) =>
    ask<SavedView>("PUT", `/views/${id}`, { body: request, idempotencyKey }),
  remove: (id: string, sent: Sent<{ revision: number }>) => post<{ done: true }>(`/views/${id}/deletion`, sent),
};
