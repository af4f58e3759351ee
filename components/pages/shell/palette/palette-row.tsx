"use client";

import { Command as List } from "cmdk";
import { keysOf } from "@/components/parts/keys/hotkey-words";
import type { Command } from "@/components/parts/palette/commands";
import { TONE_CLASSES } from "@/components/parts/status/look";
import { StatusShape } from "@/components/parts/status/status-shape";
import { useMac } from "@/components/ui/hooks/use-mac";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { classNames } from "@/lib/class-names";

interface PaletteRowProps {
  command: Command;
  onChoose: () => void;
}

/** One choice. A closed one can be focused and read: it says what would open it. */
export function PaletteRow({ command, onChoose }: PaletteRowProps) {
  const { id, icon: Icon, look, label, note, closed, hotkey } = command;
  const mac = useMac();
  return (
    <List.Item
      value={id}
      onSelect={onChoose}
      className={classNames(
        "flex min-h-11 items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-gray-soft md:min-h-8",
        closed ? "cursor-not-allowed text-ink-3" : "cursor-pointer",
      )}
    >
      {Icon && <Icon aria-hidden strokeWidth={1.7} className="size-4 shrink-0 text-ink-3" />}
      {look && <StatusShape shape={look.shape} className={classNames("shrink-0", TONE_CLASSES[look.tone].shape)} />}
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
        <span className="max-w-full truncate">{label}</span>
        {(closed || note) && <span className="max-w-full text-ink-3 text-small md:truncate">{closed ?? note}</span>}
      </span>
      {look && <span className={classNames("shrink-0 text-small", TONE_CLASSES[look.tone].word)}>{look.word}</span>}
      {closed && <span className="shrink-0 text-ink-3 text-small">closed</span>}
      {hotkey && (
        <span className="flex shrink-0 gap-1 max-md:hidden">
          {keysOf(hotkey, mac).map((key) => (
            <KeyboardKey key={key}>{key}</KeyboardKey>
          ))}
        </span>
      )}
    </List.Item>
  );
}
