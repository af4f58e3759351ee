export type { HotkeyName } from "./hotkey-words";

/** How long a second key is waited for. */
export const SECOND_KEY_MS = 1_500;

/** A character alone: what speech input and a cat type, and WCAG 2.1.4 wants switchable. */
export const isCharacter = (name: string): boolean =>
  name.split(/ /).every((key) => key.replace("Shift+", "").length === 1);
