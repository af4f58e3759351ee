"use client";

import { tell } from "@/components/parts/toasts/tell";
import { useUndo } from "@/components/parts/toasts/use-undo";
import { post, put } from "@/lib/api/client/browser";
import type { SavedView } from "@/lib/api/contract/views";

const thisView = ({ id, name }: SavedView) => ({ name, href: `/runs?view=${id}` });

/** The outcome of a change to a view, with its undo. */
export function useViewToasts() {
  const undo = useUndo();
  return {
    saved: (view: SavedView) => tell(sentence(view)),
    changed: (before: SavedView, view: SavedView) =>
      tell(sentence(view), {
        undo: undo({
          act: (idempotencyKey) =>
            put(
              "/v1/views/{id}",
              { id: view.id },
              { request: { ...kept(before), revision: view.revision }, idempotencyKey },
            ),
          done: `“${before.name}” was restored`,
        }),
      }),
    /** A view of another user would be restored as one's own. */
    deleted: (view: SavedView) =>
      tell(`Deleted “${view.name}”.`, {
        undo: view.mine
          ? undo({
              act: (idempotencyKey) => post("/v1/views", {}, { request: kept(view), idempotencyKey }),
              done: `“${view.name}” was restored`,
              about: thisView,
            })
          : undefined,
      }),
  };
}

const sentence = ({ name, shared }: SavedView) => `Saved “${name}”${shared ? " for the team" : ""}.`;

const kept = ({ name, shared, state }: SavedView) => ({ name, shared, state });
