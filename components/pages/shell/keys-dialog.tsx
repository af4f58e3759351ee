"use client";

import { ALL_HOTKEYS, type HotkeyName, keysOf } from "@/components/parts/keys/hotkey-words";
import { isCharacter } from "@/components/parts/keys/hotkeys";
import { HOTKEYS_SWITCH, type HotkeyScope, useHotkeysInUse } from "@/components/parts/keys/use-hotkeys";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useMac } from "@/components/ui/hooks/use-mac";
import { useStored } from "@/components/ui/hooks/use-stored";
import { Dialog } from "@/components/ui/overlay/dialog";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";

/** The keys that do something on this page now, and the switch that takes the single ones away. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [kept, keep] = useStored(HOTKEYS_SWITCH);
  const off = kept === "off";
  const used = useHotkeysInUse();
  const of = (scope: HotkeyScope) => ALL_HOTKEYS.filter(({ name }) => used.get(name) === scope);
  const everywhere = of("everywhere");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keys">
      <div className="grid gap-5 px-4 pb-6 md:px-5">
        <Keys title="On this page" keys={of("page")} off={off} />
        <Keys title="Everywhere" keys={everywhere.filter(({ name }) => !name.startsWith("g "))} off={off} />
        <Keys title="Go to" keys={everywhere.filter(({ name }) => name.startsWith("g "))} off={off} columns />
        <Checkbox
          checked={!off}
          onChange={(on) => keep(on ? "on" : "off")}
          label="Single keys work"
          hint="Switch them off if you use voice control or press them by accident. Keys with ⌘ or Ctrl, Enter and Esc keep working."
        />
      </div>
    </Dialog>
  );
}

interface KeysProps {
  title: string;
  keys: readonly { name: HotkeyName; does: string }[];
  off: boolean;
  columns?: boolean;
}

function Keys({ title, keys, off, columns = false }: KeysProps) {
  const mac = useMac();
  if (keys.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-ink-3 text-small">{title}</h3>
      <dl className={columns ? "grid gap-x-6 gap-y-2 sm:grid-cols-2" : "grid gap-y-2"}>
        {keys.map(({ name, does }) => (
          <div
            key={name}
            className={off && isCharacter(name) ? "flex items-center gap-3 opacity-60" : "flex items-center gap-3"}
          >
            <dt className="flex w-16 shrink-0 gap-1">
              {keysOf(name, mac).map((key) => (
                <KeyboardKey key={key}>{key}</KeyboardKey>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
