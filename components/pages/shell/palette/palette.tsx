"use client";

import { Command as List } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useCallback, useRef, useState } from "react";
import type { Command } from "@/components/parts/palette/commands";
import { Spinner } from "@/components/ui/feedback/spinner";
import { useReturnFocus } from "@/components/ui/overlay/use-return-focus";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { plural } from "@/lib/format";
import { PaletteRow } from "./palette-row";
import { usePalette } from "./use-palette";

/** Finds any page, anything with an id, a key or a name, and the actions on the current thing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const focus = useReturnFocus();
  const then = useRef<(() => void) | null>(null);
  const leave = useCallback(
    (run: () => void) => {
      then.current = run;
      onClose();
    },
    [onClose],
  );
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in-0 fixed inset-0 z-40 animate-in bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={(event) => {
            focus.giveBack(event);
            // Not earlier: a window that a command opens remembers what had the focus, and that was the page.
            then.current?.();
          }}
          className="fade-in-0 md:zoom-in-[0.98] fixed inset-x-0 top-0 z-50 flex max-h-dvh animate-in flex-col overflow-hidden bg-panel shadow-float outline-none md:top-[12dvh] md:left-1/2 md:max-h-[min(70dvh,560px)] md:w-[min(640px,calc(100vw-48px))] md:-translate-x-1/2 md:rounded-xl md:border md:border-line-strong"
        >
          <Radix.Title className="sr-only">Search or act</Radix.Title>
          <Choices leave={leave} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Choices({ leave }: { leave: (then: () => void) => void }) {
  const palette = usePalette(leave);
  const { groups } = palette;
  // A choice made with the keys stays; until then the first item is chosen, even when later results are inserted above.
  const [moved, setMoved] = useState<string | null>(null);
  const [isMoving, setMoving] = useState(false);
  const ids = groups.flatMap(({ commands }) => commands.map(({ id }) => id));
  const chosen = isMoving && moved !== null && ids.includes(moved) ? moved : (ids[0] ?? "");
  const choose = (command: Command) => !command.closed && leave(command.run);
  return (
    <List
      label="Search or run a command"
      shouldFilter={false}
      vimBindings={false}
      value={chosen}
      onValueChange={setMoved}
      onKeyDown={({ key }) => /^(Arrow(Up|Down)|Home|End)$/.test(key) && setMoving(true)}
      onPointerMove={() => setMoving(true)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <List.Input
          value={palette.text}
          onValueChange={(text) => {
            setMoving(false);
            palette.type(text);
          }}
          onPaste={palette.paste}
          placeholder="Any id, key, page or command"
          className="h-12 min-w-0 flex-1 bg-transparent text-touch outline-none placeholder:text-ink-3 md:text-title"
        />
        {palette.searching && <Spinner />}
        <KeyboardKey className="max-md:hidden">Esc</KeyboardKey>
        <Radix.Close className="h-11 text-ink-2 md:hidden">Close</Radix.Close>
      </div>
      <List.List label="Results" className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2">
        {groups.map(({ title, commands }) => (
          <List.Group
            key={title}
            heading={title || undefined}
            className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-micro"
          >
            {commands.map((command) => (
              <PaletteRow key={command.id} command={command} onChoose={() => choose(command)} />
            ))}
          </List.Group>
        ))}
      </List.List>
      <Foot palette={palette} count={ids.length} />
    </List>
  );
}

/** The result of the search, announced once it has arrived and not with each letter. */
function Foot({
  palette: { error, found, searching },
  count,
}: {
  palette: ReturnType<typeof usePalette>;
  count: number;
}) {
  return (
    <p role="status" className={error ? "border-line border-t px-4 py-2 text-red text-small" : "sr-only"}>
      {error ? `The search failed: ${error.message}` : found && !searching && `${plural(count, "choice")}`}
    </p>
  );
}
