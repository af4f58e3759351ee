import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useInboxKeys } from "./use-inbox-keys";

const rerunAll = vi.fn();

function Rows() {
  return (
    <ul ref={useInboxKeys()}>
      <li data-run="01" data-attention="outcome_unknown">
        <a href="#one">one</a>
      </li>
      <li>
        <a href="#many">many</a>
        <button type="button" data-key="r" onClick={rerunAll}>
          Rerun 27 runs
        </button>
      </li>
    </ul>
  );
}

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const opened = () => Object.fromEntries(new URLSearchParams(location.search));

beforeEach(() => {
  history.replaceState(null, "", "/");
  rerunAll.mockReset();
  render(<Rows />);
});

it("goes from row to row, and stays at the ends", () => {
  const at = () => document.activeElement?.textContent;
  press("j");
  expect(at()).toBe("one");
  press("k");
  expect(at()).toBe("one");
  press("j");
  press("j");
  expect(at()).toBe("many");
});

it("opens the action that is right for the run, and nothing before a row has the focus", () => {
  press("m");
  expect(opened()).toEqual({});
  press("j");
  press("m");
  expect(opened()).toMatchObject({ act: "settle", of: "01" });
});

it("presses the row's own button where it is about many runs", () => {
  screen.getByRole("link", { name: "many" }).focus();
  press("m");
  expect(rerunAll).not.toHaveBeenCalled();
  press("r");
  expect(rerunAll).toHaveBeenCalledOnce();
});
