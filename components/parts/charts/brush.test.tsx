import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Bars } from "./bars";
import { Brush } from "./brush";

function open() {
  const [onChoose, onPoint] = [vi.fn(), vi.fn()];
  const { container } = render(
    <Brush
      count={10}
      beginsAt={(index) => `from ${index}`}
      endsAt={(index) => `until ${index}`}
      onChoose={onChoose}
      onPoint={onPoint}
    />,
  );
  const plot = container.firstElementChild as HTMLElement;
  plot.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
  const point = (type: "pointerDown" | "pointerMove" | "pointerUp", clientX: number) =>
    fireEvent(plot, Object.assign(new MouseEvent(type.toLowerCase(), { bubbles: true, clientX }), { pointerId: 1 }));
  return { onChoose, onPoint, point };
}

it("takes the bars that are drawn over, in whichever direction", () => {
  const { onChoose, onPoint, point } = open();
  point("pointerDown", 199);
  point("pointerMove", 130);
  expect(onPoint).toHaveBeenLastCalledWith(1);
  point("pointerUp", 130);
  expect(onChoose).toHaveBeenLastCalledWith([1, 4]);
  point("pointerDown", 1_000);
  point("pointerUp", 1_000);
  expect(onChoose).toHaveBeenLastCalledWith([9, 9]);
});

it("is used by keys alone: each end says its time, Enter takes, Escape lets go", () => {
  const { onChoose } = open();
  const [from, until] = [screen.getByRole("slider", { name: "From" }), screen.getByRole("slider", { name: "Until" })];
  expect(from.getAttribute("aria-valuetext")).toBe("from 0");
  fireEvent.keyDown(from, { key: "Enter" });
  expect(onChoose).not.toHaveBeenCalled();
  fireEvent.keyDown(from, { key: "ArrowRight" });
  fireEvent.keyDown(from, { key: "ArrowRight" });
  fireEvent.keyDown(until, { key: "ArrowLeft" });
  expect(until.getAttribute("aria-valuetext")).toBe("until 8");
  fireEvent.keyDown(until, { key: "Enter" });
  expect(onChoose).toHaveBeenCalledExactlyOnceWith([2, 8]);
  fireEvent.keyDown(from, { key: "End" });
  expect(from.getAttribute("aria-valuetext")).toBe("from 9");
  fireEvent.keyDown(from, { key: "Escape" });
  expect(from.getAttribute("aria-valuetext")).toBe("from 0");
});

it("bars say their numbers; what is there can be seen, however little it is", () => {
  const bars = [
    {
      at: 1,
      label: "1: 1,000 started",
      parts: [
        { value: 1, tone: "red" as const },
        { value: 999, tone: "quiet" as const },
      ],
    },
    { at: 2, label: "2: none", parts: [{ value: 0, tone: "red" as const }] },
  ];
  const { container } = render(<Bars bars={bars} label="Two bars" />);
  expect(screen.getByRole("img", { name: "Two bars" })).toBeDefined();
  expect([...container.querySelectorAll("title")].map(({ textContent }) => textContent)).toEqual(
    bars.map(({ label }) => label),
  );
  const heights = [...container.querySelectorAll(".fill-red")].map((bar) => Number(bar.getAttribute("height")));
  expect(heights).toEqual([1.5]);
});

it("bars have lines for what happened, which their name says, too", () => {
  const bars = [{ at: 1, label: "1: none", parts: [] }];
  const { container } = render(<Bars bars={bars} marks={[{ place: 0.25, label: "14:02: deploy a" }]} label="A bar" />);
  expect(screen.getByRole("img", { name: "A bar; 14:02: deploy a" })).toBeDefined();
  expect(container.querySelector("line")?.getAttribute("x1")).toBe("25");
});
