import { PAGES } from "@/components/parts/page/destinations";

/*
 * Every key of the console, once: what is not here cannot be used, and the sheet of keys is made of it. A name is what is
 * pressed: a `KeyboardEvent.key` (letters in lower case), `Shift+` before a letter, `Mod+` for ⌘ or Ctrl, a space between two
 * keys that are pressed one after the other.
 */
const HOTKEYS = {
  "Mod+k": "Go anywhere, run a command, find any title, id or key",
  "/": "Find any title, id or business key",
  "?": "Keyboard shortcuts",
  j: "Next, in a list or a timeline",
  k: "Previous",
  Enter: "Open what is selected",
  x: "Select the run, for bulk actions",
  r: "Rerun what the row is about",
  m: "Mark it compensated, or resolve its unknown outcome",
  e: "Edit the input and start again",
  z: "Snooze the run",
  "Shift+j": "Extend selection to the next run",
  "Shift+k": "Extend selection to the previous run",
  f: "Find a step of the run",
  "+": "Zoom in",
  "-": "Zoom out",
  "0": "Whole run",
  Escape: "Close the inspector or the window",
} as const satisfies Record<string, string>;

export type HotkeyName = keyof typeof HOTKEYS | `g ${string}`;

const GO_TO: Record<string, string> = Object.fromEntries(PAGES.map(({ key, name }) => [`g ${key}`, name]));

/** In the order of the shortcut sheet. */
export const ALL_HOTKEYS: readonly { name: HotkeyName; does: string }[] = Object.entries({ ...HOTKEYS, ...GO_TO }).map(
  ([name, does]) => ({ name: name as HotkeyName, does }),
);

const SHOWN: Record<string, string> = { Escape: "Esc", Shift: "⇧", "-": "−" };

/** As it is printed on keys: ["G", "R"]. @param mac whether the viewer's keyboard has ⌘ */
export function keysOf(name: HotkeyName, mac: boolean): string[] {
  return name.split(/ |(?<=.)\+/).map((key) => {
    if (key === "Mod") return mac ? "⌘" : "Ctrl";
    return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  });
}
