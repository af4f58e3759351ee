"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { KeyboardKey } from "../ui/keyboard-key";
import { useHotkeys } from "./use-hotkeys";

const KEYS: { keys: string[]; does: string }[] = [
  { keys: ["/"], does: "Find a run by any id or business key" },
  { keys: ["J", "K"], does: "Next and previous, in a list or a timeline" },
  { keys: ["Enter"], does: "Open what is selected" },
  { keys: ["X"], does: "Select the run, to act on several" },
  { keys: ["⇧", "J", "K"], does: "Select from one run to the next" },
  { keys: ["Esc"], does: "Close the inspector or the window" },
  { keys: ["?"], does: "These keys" },
];

export function KeysButton() {
  const [open, setOpen] = useState(false);
  useHotkeys({ "?": () => setOpen(true) });
  return (
    <>
      <Button variant="ghost" size="square" aria-label="Keyboard keys" onClick={() => setOpen(true)}>
        <KeyboardKey>?</KeyboardKey>
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Keys">
        <dl className="grid grid-cols-[96px_1fr] items-center gap-y-2.5 px-4 pb-6 md:px-5">
          {KEYS.map(({ keys, does }) => (
            <div key={does} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <KeyboardKey key={key}>{key}</KeyboardKey>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
