"use client";

import { Later } from "../later";
import type { MenuChoiceProps, MenuItemProps, MenuProps } from "./menu-props";
import { Opener } from "./opener";

const parts = new Later(() => import("./menu-parts"));

export function Menu({ trigger, ...props }: MenuProps) {
  return (
    <Opener trigger={trigger} opens="menu" code={parts}>
      {(loaded, opened) => <loaded.Menu {...props} {...opened} />}
    </Opener>
  );
}

export function MenuLine() {
  const loaded = parts.useCode();
  return loaded && <loaded.MenuLine />;
}

/** A closed item can still be reached and read: its note says what would open it. */
export function MenuItem(props: MenuItemProps) {
  const loaded = parts.useCode();
  return loaded && <loaded.MenuItem {...props} />;
}

export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const loaded = parts.useCode();
  return loaded && <loaded.MenuChoice {...props} />;
}
