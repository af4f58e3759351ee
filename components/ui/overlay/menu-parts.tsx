"use client";

import { DropdownMenu as Radix } from "radix-ui";
import { classNames } from "@/lib/class-names";
import type { MenuChoiceProps, MenuItemProps, MenuProps } from "./menu-props";
import type { Opened } from "./opener";

export function Menu({ trigger, children, align = "end", defaultOpen }: MenuProps & Opened) {
  return (
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          tabIndex={0} // a menu that is longer than the screen scrolls
          className="fade-in-0 z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-48 max-w-[min(360px,calc(100vw-16px))] overflow-y-auto animate-in rounded-lg border border-line-strong bg-panel p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const MenuLine = () => <Radix.Separator className="-mx-1 my-1 border-line border-t" />;

/** A closed item can still be reached and read: its note says what would open it. */
export function MenuItem({ onSelect, children, note, closed = false, icon, stays = false }: MenuItemProps) {
  return (
    <Radix.Item
      aria-disabled={closed || undefined}
      onSelect={(event) => {
        if (closed || stays) event.preventDefault();
        if (!closed) onSelect();
      }}
      className={classNames(
        "flex gap-2 rounded-md px-2 py-1.5 outline-none data-[highlighted]:bg-gray-soft max-md:py-3",
        closed ? "cursor-not-allowed text-ink-3" : "cursor-pointer text-ink",
      )}
    >
      {icon && <span className="mt-0.5 shrink-0 text-ink-3 [&_svg]:size-4">{icon}</span>}
      <span className="min-w-0">
        <span className={classNames("block", !closed && "font-medium")}>{children}</span>
        {note && <span className="block text-ink-3 text-small">{note}</span>}
      </span>
    </Radix.Item>
  );
}

export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.Label className="px-2 py-1 text-ink-3 text-small">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 text-ink-2 outline-none data-[highlighted]:bg-gray-soft data-[state=checked]:text-ink max-md:py-3 [&_svg]:size-4"
        >
          {option.icon}
          {option.text}
          <Radix.ItemIndicator data-drawn className="ml-auto size-1.5 rounded-full bg-accent" />
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
