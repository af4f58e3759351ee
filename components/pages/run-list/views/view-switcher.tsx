"use client";

import { ChevronDown, PencilLine, RotateCcw, Save, SquarePlus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useViewToasts } from "@/components/domain/run-views/use-view-toasts";
import { DeleteViewDialog, SaveViewDialog } from "@/components/domain/run-views/view-dialogs-later";
import { useAct } from "@/components/parts/submit/use-act";
import { tellRefusal } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/overlay/menu";
import type { SavedView } from "@/lib/api/contract/views";
import { useChangeView } from "@/lib/api/hooks/view-hooks";
import type { RunUrl } from "../address/use-run-url";
import { isSaved, useViews, type View } from "./use-views";
import { ALL_RUNS, USUAL_VIEWS } from "./usual-views";

type Open = { kind: "save" } | { kind: "change" | "delete"; view: SavedView } | null;

/** Beside the title: the current view, whether it was changed, and the actions on it. */
export function ViewSwitcher(page: Pick<RunUrl, "url" | "setUrl">) {
  const views = useViews(page);
  const { saved, current, state, changed, show } = views;
  const [open, setOpen] = useState<Open>(null);
  const { save, pending } = useSaveChanges(current, state);
  const mine = isSaved(current) && current.mayChange;
  const acts = {
    changed,
    current,
    onSave: mine && changed ? save : undefined,
    onSaveAs: () => setOpen({ kind: "save" }),
    onReset: () => show(current),
  };
  return (
    <div className="flex min-w-0 items-center gap-1">
      <Menu
        align="start"
        trigger={
          <Button
            variant="ghost"
            aria-label={`View: ${current.name}${changed ? ", changed" : ""}`}
            className="min-w-0 shrink max-sm:-ml-3 max-sm:px-3 max-sm:font-semibold max-sm:text-ink max-sm:text-title"
          >
            <span className="truncate">{current.name}</span>
            <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          </Button>
        }
      >
        <Choices saved={saved} current={current} onChoose={show} />
        <MenuLine />
        <MenuActs {...acts} onChange={setOpen} />
      </Menu>
      <BarActs {...acts} pending={pending} />
      {open?.kind === "save" && <SaveViewDialog state={state} onSaved={show} onClose={() => setOpen(null)} />}
      {open?.kind === "change" && (
        <SaveViewDialog
          view={open.view}
          state={open.view.state}
          onSaved={() => undefined}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === "delete" && (
        <DeleteViewDialog view={open.view} onDeleted={() => show(ALL_RUNS)} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

function useSaveChanges(current: View, state: SavedView["state"]) {
  const toasts = useViewToasts();
  const act = useAct(
    useChangeView(),
    (saved) => isSaved(current) && toasts.changed(current, saved),
    (error) => tellRefusal(error),
  );
  const save = () => {
    if (!isSaved(current)) return;
    const { id, name, shared, revision } = current;
    act.submit({ id, request: { name, shared, state, revision } });
  };
  return { save, pending: act.pending };
}

function Choices({
  saved,
  current,
  onChoose,
}: {
  saved: readonly SavedView[];
  current: View;
  onChoose: (view: View) => void;
}) {
  const groups: { label: string; views: readonly View[] }[] = [
    { label: "Views", views: USUAL_VIEWS },
    { label: "Team", views: saved.filter(({ shared }) => shared) },
    { label: "Private", views: saved.filter(({ shared }) => !shared) },
  ];
  return groups
    .filter(({ views }) => views.length > 0)
    .map(({ label, views }) => (
      <MenuChoice
        key={label}
        label={label}
        value={current.id}
        options={views.map(({ id, name }) => ({ value: id, text: name }))}
        onChange={(id) => {
          const view = views.find((one) => one.id === id);
          if (view) onChoose(view);
        }}
      />
    ));
}

interface ActsProps {
  changed: boolean;
  current: View;
  onSave: (() => void) | undefined;
  onSaveAs: () => void;
  onReset: () => void;
}

function MenuActs({
  changed,
  current,
  onSave,
  onSaveAs,
  onReset,
  onChange,
}: ActsProps & { onChange: (open: Open) => void }) {
  return (
    <>
      {onSave && (
        <MenuItem icon={<Save aria-hidden />} onSelect={onSave}>
          Save the changes
        </MenuItem>
      )}
      <MenuItem icon={<SquarePlus aria-hidden />} onSelect={onSaveAs}>
        Save as a new view…
      </MenuItem>
      {changed && (
        <MenuItem icon={<RotateCcw aria-hidden />} onSelect={onReset}>
          Reset to saved view
        </MenuItem>
      )}
      {isSaved(current) && current.mayChange && (
        <>
          <MenuItem icon={<PencilLine aria-hidden />} onSelect={() => onChange({ kind: "change", view: current })}>
            Rename or share…
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => onChange({ kind: "delete", view: current })}>
            Delete…
          </MenuItem>
        </>
      )}
    </>
  );
}

/** If there is room, the actions for a changed view are shown beside its name. */
function BarActs({ changed, current, onSave, onSaveAs, onReset, pending }: ActsProps & { pending: boolean }) {
  if (!changed) return null;
  return (
    <div className="flex items-center gap-1 max-lg:hidden">
      {current.id !== ALL_RUNS.id && <span className="text-ink-3 text-small">changed</span>}
      {onSave ? (
        <Button size="small" variant="ghost" disabled={pending} onClick={onSave}>
          Save
        </Button>
      ) : (
        <Button size="small" variant="ghost" onClick={onSaveAs}>
          Save as a view…
        </Button>
      )}
      {current.id !== ALL_RUNS.id && (
        <Button size="small" variant="ghost" onClick={onReset}>
          Reset
        </Button>
      )}
    </div>
  );
}
