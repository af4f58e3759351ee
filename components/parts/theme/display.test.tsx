import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DisplayAttributes, useDisplay } from "./display";

let asks: string[] = [];
beforeEach(() => {
  asks = [];
  localStorage.clear();
  vi.stubGlobal("matchMedia", (media: string) => ({
    matches: asks.includes(media),
    addEventListener() {},
    removeEventListener() {},
  }));
});
afterEach(() => vi.unstubAllGlobals());

function Choice() {
  const [contrast, setContrast] = useDisplay("contrast");
  return (
    <>
      <DisplayAttributes />
      <output>{contrast}</output>
      {(["on", "off"] as const).map((choice) => (
        <button key={choice} type="button" onClick={() => setContrast(choice)}>
          {choice}
        </button>
      ))}
    </>
  );
}
const { dataset } = document.documentElement;

it("is as the system asks, until somebody chooses here, and remembers the choice", async () => {
  asks = ["(prefers-contrast: more)"];
  const user = userEvent.setup();
  const { unmount } = render(<Choice />);
  expect([dataset.contrast, dataset.motion]).toEqual(["more", undefined]);
  await user.click(screen.getByRole("button", { name: "off" }));
  expect(dataset.contrast).toBeUndefined();
  await user.click(screen.getByRole("button", { name: "on" }));
  expect(dataset.contrast).toBe("more");
  unmount();
  asks = [];
  render(<Choice />);
  expect([screen.getByRole("status").textContent, dataset.contrast]).toEqual(["on", "more"]);
});

it("asks for less motion where the system does", () => {
  asks = ["(prefers-reduced-motion: reduce)"];
  render(<DisplayAttributes />);
  expect(dataset.motion).toBe("less");
});
