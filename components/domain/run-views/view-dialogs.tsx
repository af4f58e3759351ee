"use client";

import { useState } from "react";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { Checkbox } from "@/components/ui/form/checkbox";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { SavedView } from "@/lib/api/contract/views";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useChangeView, useDeleteView, useSaveView } from "@/lib/api/hooks/view-hooks";
import { MAX_VIEW_NAME, type ViewState } from "@/lib/engine/runs/saved-view";
import { useViewToasts } from "./use-view-toasts";

interface SaveViewDialogProps {
  /** The one that is changed; without it, a new one is saved. */
  view?: SavedView;
  state: ViewState;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}

/** A name for what is shown, and whether the team sees it. */
export function SaveViewDialog({ view, state, onSaved, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const [missing, setMissing] = useState(false);
  const notToShare = useWhyNot("view.share");
  const toasts = useViewToasts();
  const done = (saved: SavedView) => {
    if (view) toasts.changed(view, saved);
    else toasts.saved(saved);
    onSaved(saved);
    onClose();
  };
  const saving = useAct(useSaveView(), done);
  const changing = useAct(useChangeView(), done);
  const submit = () => {
    const request = { name: name.trim(), shared, state };
    setMissing(request.name === "");
    if (request.name === "") return;
    if (view) changing.submit({ id: view.id, request: { ...request, revision: view.revision } });
    else saving.submit({ request });
  };
  return (
    <ActDialog
      title={view ? "Rename or share the view" : "Save as a view"}
      description="A view keeps the filters, the columns and the order. Row height is a personal setting."
      submit={view ? "Save the view" : "Save as a new view"}
      pending={saving.pending || changing.pending}
      error={view ? changing.error : saving.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-4">
        <TextField
          label="Name"
          value={name}
          maxLength={MAX_VIEW_NAME}
          placeholder="Stuck gold orders"
          error={missing ? "Give the view a name." : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        {notToShare === null || shared ? (
          <Checkbox
            checked={shared}
            onChange={setShared}
            label="Share with the team"
            hint="Everyone with access to runs sees its name and filters; each user sees the runs that they have access to."
          />
        ) : (
          <p className="text-ink-3 text-small">Only you will see it. {notToShare}</p>
        )}
      </DialogSection>
    </ActDialog>
  );
}

interface DeleteViewDialogProps {
  view: SavedView;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteViewDialog({ view, onDeleted, onClose }: DeleteViewDialogProps) {
  const toasts = useViewToasts();
  const act = useAct(useDeleteView(), () => {
    toasts.deleted(view);
    onDeleted();
    onClose();
  });
  return (
    <ActDialog
      title={`Delete the view “${view.name}”?`}
      description={
        view.shared
          ? "Removed from everyone's list. Links to it keep working: they contain the filters."
          : "Runs are not affected. Links to it keep working: they contain the filters."
      }
      submit="Delete the view"
      tone="danger"
      pending={act.pending}
      error={act.error}
      onSubmit={() => act.submit({ id: view.id, request: { revision: view.revision } })}
      onClose={onClose}
    >
      {null}
    </ActDialog>
  );
}
