import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { useListKeys } from "@/components/parts/keys/use-list-keys";
import { SIDE_BY_SIDE } from "@/components/ui/hooks/use-media-query";
import { Inspector } from "./inspector";

const went = vi.hoisted(() => vi.fn());
// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: went }) }));

const chose = vi.fn();
const IDS = ["a", "b", "c"];

function List() {
  const [chosen, setChosen] = useState<string | null>(null);
  const keys = useListKeys({
    ids: IDS,
    chosen,
    choose: async (id, history) => {
      chose(id, history);
      setChosen(id);
    },
    hrefOf: (id) => `/things/${id}`,
    rowId: (id) => `thing-${id}`,
  });
  return (
    <>
      {IDS.map((id) => (
        <p key={id} id={`thing-${id}`}>
          <a href={`/things/${id}`} onClick={onPlainClick((byKey) => (byKey ? keys.open : keys.show)(id))}>
            {id}
          </a>
        </p>
      ))}
      {chosen && (
        <Inspector title={`Thing ${chosen}`} href={`/things/${chosen}`} onClose={() => setChosen(null)}>
          All of {chosen}
        </Inspector>
      )}
    </>
  );
}

const onScreen = (wide: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: (query === SIDE_BY_SIDE) === wide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const link = (name: string) => screen.getByRole("link", { name });
/** Its code comes later, and a machine may be busy. */
const sheet = (name: string) => screen.findByRole("dialog", { name }, { timeout: 10_000 });

it("is shown beside a list and follows J and K; Enter opens the page, Esc closes", async () => {
  onScreen(true);
  render(<List />);
  press("j");
  press("j");
  expect(screen.getByRole("complementary", { name: "Inspector" }).textContent).toContain("All of b");
  await waitFor(() => expect(document.activeElement).toBe(link("b")));
  press("k");
  expect(chose.mock.calls.flat()).toEqual(["a", undefined, "b", undefined, "a", undefined]);
  fireEvent.keyDown(document.body, { key: "Enter" });
  await waitFor(() => expect(went).toHaveBeenCalledWith("/things/a"));
  press("Escape");
  expect(screen.queryByRole("complementary")).toBeNull();
});

it("lies over the list where there is no room: moves go from link to link, and a tap opens it as a step of the history", async () => {
  onScreen(false);
  render(<List />);
  press("j");
  await waitFor(() => expect(document.activeElement).toBe(link("a")));
  press("j");
  await waitFor(() => expect(document.activeElement).toBe(link("b")));
  expect(chose).not.toHaveBeenCalled();
  fireEvent.click(link("b"), { detail: 1 });
  expect(chose).toHaveBeenCalledWith("b", "push");
  const window = await sheet("Thing b");
  expect(window.textContent).toContain("All of b");
  press("Escape");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(link("b"));
});

it("a sheet is pulled down by its head: a little, and it springs back; far, and it closes", async () => {
  onScreen(false);
  render(<List />);
  fireEvent.click(link("c"), { detail: 1 });
  const window = await sheet("Thing c");
  const head = screen.getByRole("heading", { name: "Thing c" });
  const pull = (to: number) => {
    fireEvent.pointerDown(head, { pointerType: "touch", clientY: 100 });
    fireEvent.pointerMove(head, { pointerType: "touch", clientY: to });
  };
  pull(150);
  expect(window.style.transform).toBe("translateY(50px)");
  fireEvent.pointerUp(head);
  expect(window.style.transform).toBe("");
  pull(250);
  fireEvent.pointerUp(head);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
