"use client";

import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import type { Run } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { Button } from "../ui/button";
import { Menu, MenuItem } from "../ui/menu";
import { OpenActDialog } from "./act-dialogs-later";
import { ACT_WORDS } from "./act-words";
import type { OpenAct } from "./open-act";
import { mayRerunFromChosen } from "./run-facts";

/** The one right next thing as a button; every other act in a menu, closed ones with their reason. */
export function RunActs({ run }: { run: Run }) {
  const [open, setOpen] = useState<OpenAct | null>(null);
  const primary = run.primaryAct;
  const mayRerun = useWhyNot("run.rerun", run.workflow) === null;
  const rest = run.acts.filter(({ act }) => act !== primary);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {primary && (
        <Button variant="primary" className="max-w-full" onClick={() => setOpen({ act: primary })}>
          <span className="truncate">{ACT_WORDS[primary].label(run)}</span>
        </Button>
      )}
      <Menu
        trigger={
          <Button size="square" aria-label={primary ? "More acts" : "Acts"}>
            <MoreHorizontal aria-hidden className="size-4" />
          </Button>
        }
      >
        {rest.map(({ act, open: isOpen, because }) => {
          const Icon = ACT_WORDS[act].icon;
          // A rerun of a run that did not fail is open once a step is chosen, which its dialog does.
          const choosable = act === "rerun" && !isOpen && mayRerun && mayRerunFromChosen(run);
          return (
            <MenuItem
              key={act}
              icon={<Icon aria-hidden />}
              closed={!isOpen && !choosable}
              note={isOpen || choosable ? ACT_WORDS[act].does : because}
              onSelect={() => setOpen({ act })}
            >
              {ACT_WORDS[act].label(run)}
            </MenuItem>
          );
        })}
      </Menu>
      {open && <OpenActDialog run={run} open={open} onClose={() => setOpen(null)} />}
    </div>
  );
}
