import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { aListedRun } from "@/components/testing/a-run";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import { ATTENTIONS, RUN_STATUSES } from "@/lib/engine/runs/run";
import { columnOf } from "../columns/run-columns";
import { runsAsCsv } from "../selection/copy-text";
import { matching, standingOf } from "../selection/selection-words";
import { useRowMenu } from "./run-table";
import { useFlash } from "./use-flash";

const run = aListedRun({ id: "019aa5e0-0000-7000-8000-000000000001", tags: { orderId: "=A-17,x" } });
const columns = ["status", "tags.orderId"].map(columnOf);

it("rows are copied as a spreadsheet takes them, without formulas, and with their ids", () => {
  expect(runsAsCsv([run], columns)).toBe(`Status,tags.orderId,Run id\r\nCompleted,"'=A-17,x",${run.id}\r\n`);
});

describe("what is chosen, in words", () => {
  it("lists the statuses of the runs, the most frequent first", () => {
    const failed = aListedRun({ status: "failed", attention: "failed" });
    expect(standingOf([run, failed, failed])).toBe("2 failed, 1 completed");
    expect(standingOf([])).toBe("");
  });

  it("knows how many match from the counts, or says nothing", () => {
    const counts = {
      byStatus: Object.fromEntries(RUN_STATUSES.map((status) => [status, 2])),
      byAttention: Object.fromEntries(ATTENTIONS.map((attention) => [attention, 1])),
      partial: { byStatus: ["completed"], byAttention: ["approval"] },
    } as unknown as RunCountsResponse;
    expect(matching({}, { ...counts, partial: { byStatus: [], byAttention: [] } })).toBe(2 * RUN_STATUSES.length);
    expect(matching({}, counts)).toBeNull();
    expect(matching({ attention: ["approval"] }, counts)).toBeNull();
    expect(matching({ status: ["failed", "waiting"] }, counts)).toBe(4);
    expect(matching({ attention: ["failed"] }, counts)).toBe(1);
    expect(matching({ attention: ["failed"], status: ["failed"] }, counts)).toBeNull();
    expect(matching({}, undefined)).toBeNull();
  });
});

it("the menu of a row copies the cell that was pressed, and the run's id", async () => {
  const writeText = vi.fn(async () => undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "clipboard"));
  function Rows() {
    const { onContextMenu, menu } = useRowMenu([run], columns);
    return (
      <>
        <table>
          <tbody onContextMenu={onContextMenu}>
            <tr id={`run-${run.id}`}>
              <td data-column="tags.orderId">A</td>
            </tr>
          </tbody>
        </table>
        {menu}
      </>
    );
  }
  render(<Rows />);
  const cell = screen.getByText("A");
  cell.getBoundingClientRect = () => ({ left: 0, right: 50 }) as DOMRect;
  for (const item of ["Copy tags.orderId", "Copy the run's id"]) {
    fireEvent.contextMenu(cell, { clientX: 10 });
    const choice = await screen.findByRole("menuitem", { name: item }, { timeout: 10_000 });
    await act(async () => fireEvent.click(choice));
  }
  expect(writeText.mock.calls).toEqual([["=A-17,x"], [run.id]]);
});

describe("a row that changes in place", () => {
  const animate = vi.fn();
  const still = (reduced: boolean) => vi.stubGlobal("matchMedia", () => ({ matches: reduced }));
  afterEach(() => {
    animate.mockClear();
    vi.unstubAllGlobals();
  });
  function Row({ signal }: { signal: string }) {
    const element = useFlash<HTMLDivElement>(signal);
    return <div ref={element}>{signal}</div>;
  }

  it.each([
    [false, 1],
    [true, 0],
  ])("with reduced motion %s lights up %i times", (reduced, times) => {
    still(reduced);
    const { rerender } = render(<Row signal="Running 1" />);
    screen.getByText("Running 1").animate = animate;
    rerender(<Row signal="Running 1" />);
    expect(animate).not.toHaveBeenCalled();
    rerender(<Row signal="Failed 1" />);
    rerender(<Row signal="Failed 1" />);
    expect(animate).toHaveBeenCalledTimes(times);
  });
});
