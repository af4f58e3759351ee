import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KeysDialog } from "@/components/pages/shell/keys-dialog";
import { PAGES } from "@/components/parts/page/destinations";
import { ALL_HOTKEYS, keysOf } from "./hotkey-words";
import { isCharacter } from "./hotkeys";
import { HOTKEYS_SWITCH, type HotkeyScope, type Hotkeys, useHotkeys } from "./use-hotkeys";

afterEach(() => localStorage.clear());

function Using({ keys, scope }: { keys: Hotkeys; scope?: HotkeyScope }) {
  useHotkeys(keys, scope);
  return null;
}

const press = (key: string, more: object = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...more });

describe("keys", () => {
  it("work alone, with Shift, with ⌘ or Ctrl, and one after the other", () => {
    const did = vi.fn();
    const keys = Object.fromEntries(
      ["j", "Shift+j", "Mod+k", "g r", "?"].map((name) => [name, () => did(name)]),
    ) as Hotkeys;
    render(<Using keys={keys} />);
    press("j");
    press("J", { shiftKey: true });
    press("k", { metaKey: true });
    press("k", { ctrlKey: true });
    press("?", { shiftKey: true });
    press("g");
    press("r");
    expect(did.mock.calls.flat()).toEqual(["j", "Shift+j", "Mod+k", "Mod+k", "?", "g r"]);
    did.mockClear();
    press("r");
    press("k");
    press("j", { altKey: true });
    press("j", { ctrlKey: true });
    expect(did).not.toHaveBeenCalled();
  });

  it("wait for a second key for a while, and not for ever", () => {
    const did = vi.fn();
    render(<Using keys={{ "g r": did }} />);
    const at = (key: string, timeStamp: number) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true });
      Object.defineProperty(event, "timeStamp", { value: timeStamp });
      document.body.dispatchEvent(event);
    };
    at("g", 1_000);
    at("r", 3_000);
    expect(did).not.toHaveBeenCalled();
    at("g", 4_000);
    at("r", 4_500);
    expect(did).toHaveBeenCalledOnce();
  });

  it("never fire in fields, nor behind a window; ⌘K does in a field", () => {
    const [single, palette] = [vi.fn(), vi.fn()];
    render(
      <>
        <Using keys={{ j: single, "Mod+k": palette }} />
        <input aria-label="field" />
      </>,
    );
    press("j", {}, screen.getByLabelText("field"));
    expect(single).not.toHaveBeenCalled();
    press("k", { ctrlKey: true }, screen.getByLabelText("field"));
    expect(palette).toHaveBeenCalledOnce();
    render(<div role="dialog" data-state="open" />);
    press("j");
    press("k", { ctrlKey: true });
    expect([single.mock.calls.length, palette.mock.calls.length]).toEqual([0, 1]);
  });

  it("are the page's before they are the shell's, whichever came last", () => {
    const [page, shell] = [vi.fn(), vi.fn()];
    const { unmount } = render(<Using keys={{ "/": page }} />);
    render(<Using keys={{ "/": shell }} scope="everywhere" />);
    press("/");
    expect([page.mock.calls.length, shell.mock.calls.length]).toEqual([1, 0]);
    unmount();
    press("/");
    expect([page.mock.calls.length, shell.mock.calls.length]).toEqual([1, 1]);
  });

  it("can be switched off, all single characters at once", () => {
    const did = vi.fn();
    const keys: Hotkeys = { j: did, "g r": did, Escape: () => did("Escape"), "Mod+k": () => did("Mod+k") };
    render(<Using keys={keys} />);
    localStorage.setItem(HOTKEYS_SWITCH, "off");
    press("j");
    press("g");
    press("r");
    expect(did).not.toHaveBeenCalled();
    press("Escape");
    press("k", { ctrlKey: true });
    expect(did.mock.calls.flat()).toEqual(["Escape", "Mod+k"]);
  });
});

describe("the sheet of keys", () => {
  it("tells what works on this page, and nothing else", async () => {
    render(
      <>
        <Using keys={{ j: () => undefined }} />
        <Using keys={{ "g r": () => undefined, "?": () => undefined }} scope="everywhere" />
        <KeysDialog onClose={() => undefined} />
      </>,
    );
    expect(await screen.findByText("Next, in a list or a timeline")).toBeTruthy();
    expect(screen.getByText("Runs")).toBeTruthy();
    expect(screen.queryByText("Audit")).toBeNull();
    expect(screen.queryByText("Select the run, for bulk actions")).toBeNull();
    fireEvent.click(screen.getByRole("checkbox", { name: "Single keys work" }));
    expect(localStorage.getItem(HOTKEYS_SWITCH)).toBe("off");
  });

  it("has a separate key for each page, and prints keys as keyboards do", () => {
    expect(new Set(PAGES.map(({ key }) => key)).size).toBe(PAGES.length);
    expect(ALL_HOTKEYS.filter(({ name }) => name.startsWith("g "))).toHaveLength(PAGES.length);
    expect(keysOf("Mod+k", true)).toEqual(["⌘", "K"]);
    expect(keysOf("Shift+j", false)).toEqual(["⇧", "J"]);
    expect(keysOf("g r", false)).toEqual(["G", "R"]);
    expect(["j", "Shift+j", "g r", "?"].every(isCharacter)).toBe(true);
    expect(["Mod+k", "Enter", "Escape"].some(isCharacter)).toBe(false);
  });
});
