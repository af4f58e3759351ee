"use client";

import {
  AlarmClock,
  Ban,
  Copy,
  CopyPlus,
  GitBranch,
  HelpCircle,
  Lock,
  type LucideIcon,
  MessageCircleReply,
  MoreHorizontal,
  Pause,
  Play,
  RotateCcw,
  Send,
  Trash2,
  Undo2,
  UserCheck,
  UserPlus,
} from "lucide-react";
import { useState } from "react";
import { useCommands } from "@/components/parts/palette/commands";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import type { ActionIcon } from "@/lib/actions/action";
import { WORDS } from "@/lib/actions/words";
import type { Run } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { nameOfRun } from "@/lib/format/run-name";
import { OpenActDialog } from "./act-dialogs-later";
import { factsOf, mayRerunFromChosen } from "./run-facts";
import { showAct, useOpenAct } from "./use-open-act";

/** A menu shows this many closed actions at once; more of them wait behind one of its lines, unless nothing is open. */
const MOST_CLOSED = 3;

/** The recommended action as a button; every other action in a menu: what is open, then what is closed, with its reason. */
export function RunActs({ run }: { run: Run }) {
  const { open, of, close } = useOpenAct();
  const primary = run.primaryAct;
  const shown = { ...factsOf(run), attention: run.attention };
  const mayRerun = useWhyNot("run.rerun", run.workflow) === null;
  // A rerun of a run that did not fail is open once a step is chosen, which its dialog does.
  const acts = run.acts.map(({ act, open: isOpen, because }) => ({
    act,
    closed: isOpen || (act === "rerun" && mayRerun && mayRerunFromChosen(run)) ? null : because,
  }));
  const [shownClosed, setShownClosed] = useState(false);
  const others = acts.filter(({ act }) => act !== primary);
  const opened = others.filter(({ closed }) => closed === null);
  const closed = others.filter(({ closed }) => closed !== null);
  const folds = opened.length > 0 && closed.length > MOST_CLOSED;
  const inMenu = folds && !shownClosed ? [] : closed;
  useCommands(`This run · ${nameOfRun(run.id, run)}`, [
    ...acts.map(({ act, closed }) => ({
      id: `act ${act}`,
      label: WORDS[act].button(shown),
      icon: ACT_ICONS[WORDS[act].icon],
      closed,
      note: WORDS[act].does,
      run: () => showAct({ act }),
    })),
    { id: "copy id", label: "Copy the run's id", icon: Copy, run: () => void navigator.clipboard?.writeText(run.id) },
  ]);
  const item = ({ act, closed }: (typeof acts)[number]) => {
    const { icon, button, does } = WORDS[act];
    const Icon = ACT_ICONS[icon];
    return (
      <MenuItem
        key={act}
        icon={<Icon aria-hidden />}
        closed={closed !== null}
        note={closed ?? does}
        onSelect={() => showAct({ act })}
      >
        {button(shown)}
      </MenuItem>
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {primary && (
        <Button variant="primary" className="max-w-full" onClick={() => showAct({ act: primary })}>
          <span className="truncate">{WORDS[primary].button(shown)}</span>
        </Button>
      )}
      <Menu
        trigger={
          <Button size="square" aria-label={primary ? "More actions" : "Actions"}>
            <MoreHorizontal aria-hidden className="size-4" />
          </Button>
        }
      >
        {opened.map(item)}
        {folds && (
          <MenuItem stays icon={<Lock aria-hidden />} onSelect={() => setShownClosed(!shownClosed)}>
            {shownClosed ? "Hide" : "Show"} {closed.length} unavailable actions
          </MenuItem>
        )}
        {inMenu.map(item)}
      </Menu>
      {/* When the run is shown beside a list, the list renders the dialog. */}
      {open && of === null && <OpenActDialog run={run} open={open} onClose={close} />}
    </div>
  );
}

/** What actions show on their buttons, by the names that their files give. */
const ACT_ICONS: Record<ActionIcon, LucideIcon> = {
  again: RotateCcw,
  question: HelpCircle,
  person: UserCheck,
  add_person: UserPlus,
  undo: Undo2,
  pause: Pause,
  play: Play,
  clock: AlarmClock,
  answer: MessageCircleReply,
  send: Send,
  branch: GitBranch,
  copy: CopyPlus,
  stop: Ban,
  trash: Trash2,
};
