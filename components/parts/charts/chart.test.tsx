import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Chart } from "./chart";
import type { ChartData } from "./chart-series";
import type { Plot, PlotAsked } from "./plot";

// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("./plot");
  vi.resetModules();
});
const plot = vi.hoisted(() => ({ asked: undefined as unknown, handle: undefined as unknown }));
vi.mock("./plot", () => ({
  draw: (_: HTMLElement, __: ChartData, asked: PlotAsked) => {
    plot.asked = asked;
    const handle = { setData: vi.fn(), point: vi.fn(), leftOf: () => 40, redraw: vi.fn(), destroy: vi.fn() };
    plot.handle = handle;
    return handle satisfies Plot;
  },
}));

const MINUTE = 60_000;
const FROM = new Date(2026, 10, 21, 14, 0).getTime();
const DATA: ChartData = {
  fromMs: FROM,
  pointMs: MINUTE,
  series: [
    { name: "Ended", values: [1, 2, null], tone: "quiet", shape: "bars" },
    { name: "Failed", values: [0, 1, null], tone: "red", shape: "bars" },
  ],
};

const onPick = vi.fn();
beforeEach(() => onPick.mockReset());

async function shown(data = DATA) {
  const chart = (of: ChartData) => (
    <Chart label="Runs" data={of} format={String} onPick={onPick} pickWords="see them" nothing="No run." />
  );
  const view = render(chart(data));
  await act(async () => {});
  return {
    slider: screen.getByRole("slider", { name: "Runs" }),
    again: (of: ChartData) => view.rerender(chart(of)),
    view,
  };
}

describe("a chart", () => {
  it("has every value in a table, and says that times without one are left out", async () => {
    await shown();
    const table = screen.getByRole("table", { name: "Runs. Times without data are left out." });
    const rows = within(table)
      .getAllByRole("row")
      .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([
      ["Time", "Ended", "Failed"],
      ["14:00 – 14:01", "1", "0"],
      ["14:01 – 14:02", "2", "1"],
    ]);
  });

  it("is walked by keys, point by point and to both ends, each spoken in words", async () => {
    const { slider } = await shown();
    const spoken = () => slider.getAttribute("aria-valuetext");
    const { point } = plot.handle as { point: ReturnType<typeof vi.fn> };
    fireEvent.keyDown(slider, { key: "ArrowLeft" });
    expect(spoken()).toBe("14:02 – 14:03: ended no data, failed no data, still filling");
    fireEvent.keyDown(slider, { key: "ArrowLeft" });
    expect(spoken()).toBe("14:01 – 14:02: ended 2, failed 1");
    expect(point).toHaveBeenLastCalledWith(1);
    fireEvent.keyDown(slider, { key: "Home" });
    fireEvent.keyDown(slider, { key: "ArrowLeft" });
    expect(slider.getAttribute("aria-valuenow")).toBe("0");
    fireEvent.keyDown(slider, { key: "End" });
    expect(slider.getAttribute("aria-valuenow")).toBe("2");
    fireEvent.keyDown(slider, { key: "Escape" });
    expect(point).toHaveBeenLastCalledWith(null);
  });

  it("names what happened within a point to those who do not see its line", async () => {
    const marks = [{ atMs: FROM + MINUTE + 5_000, name: "9f3c2d1", words: "deploy 9f3c2d1" }];
    const { slider } = await shown({ ...DATA, marks });
    expect(screen.getByRole("rowheader", { name: "14:01 – 14:02, deploy 9f3c2d1" })).toBeTruthy();
    fireEvent.keyDown(slider, { key: "Home" });
    fireEvent.keyDown(slider, { key: "ArrowRight" });
    expect(slider.getAttribute("aria-valuetext")).toBe("14:01 – 14:02: ended 2, failed 1, deploy 9f3c2d1");
  });

  it("leads to what a point is of, by Enter and by a click", async () => {
    const { slider } = await shown();
    fireEvent.keyDown(slider, { key: "Enter" });
    expect(onPick).not.toHaveBeenCalled();
    fireEvent.keyDown(slider, { key: "Home" });
    fireEvent.keyDown(slider, { key: "Enter" });
    expect(onPick).toHaveBeenLastCalledWith({ fromMs: FROM, untilMs: FROM + MINUTE });
    act(() => (plot.asked as PlotAsked).onPoint(1));
    fireEvent.click(slider);
    expect(onPick).toHaveBeenLastCalledWith({ fromMs: FROM + MINUTE, untilMs: FROM + 2 * MINUTE });
  });

  it("says so when it has nothing to show", async () => {
    await shown({ ...DATA, series: DATA.series.map((series) => ({ ...series, values: [0, null, 0] })) });
    expect(screen.getByText("No run.")).toBeTruthy();
  });

  it("hands new data to what is drawn, keeps the crosshair, and goes with the page", async () => {
    const { slider, again, view } = await shown();
    const handle = plot.handle as { setData: ReturnType<typeof vi.fn>; destroy: ReturnType<typeof vi.fn> };
    fireEvent.keyDown(slider, { key: "Home" });
    const next = { ...DATA, fromMs: FROM + MINUTE };
    again(next);
    expect(plot.handle).toBe(handle);
    expect(handle.setData).toHaveBeenLastCalledWith(next);
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^14:01/);
    view.unmount();
    expect(handle.destroy).toHaveBeenCalled();
  });
});
