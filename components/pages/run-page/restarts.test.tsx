import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aRun } from "@/components/testing/a-run";
import { Restarts } from "./restarts";

const HOLDER = "01a9c3f0-0000-7000-8000-00000000abcd";

it("an ended run leads to the run that has its singleton key now", () => {
  render(<Restarts run={aRun({ status: "failed", singleton: { key: "c-7", heldBy: HOLDER } })} />);
  screen.getByText(/^Singleton key held by/);
  expect(screen.getByRole("link").getAttribute("href")).toBe(`/runs/${HOLDER}`);
});

it("a run that holds its key itself, and one without a key, need no line", () => {
  const { container, rerender } = render(<Restarts run={aRun({ singleton: { key: "c-7", heldBy: null } })} />);
  expect(container.textContent).toBe("");
  rerender(<Restarts run={aRun()} />);
  expect(container.textContent).toBe("");
});
