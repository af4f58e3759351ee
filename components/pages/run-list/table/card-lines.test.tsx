import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aListedRun } from "@/components/testing/a-run";
import { columnOf } from "../columns/run-columns";
import { CardLines, linesHeight } from "./run-cards";

it("a card says what was chosen for the table, in its order: its status beside its name, then a line each", () => {
  const run = aListedRun({ idempotencyKey: "order-17", tags: { city: "Bergen" } });
  const columns = ["version", "status", "key", "tags.city"].map(columnOf);
  render(<CardLines run={run} columns={columns} link={{ href: "/runs/1", onClick: () => undefined }} />);
  expect(screen.getByRole("link").textContent).toBe("order-17");
  expect(screen.getByText("Completed")).toBeDefined();
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["Version", "tags.city"]);
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["1", "Bergen"]);
  expect(linesHeight(columns)).toBeGreaterThan(linesHeight(columns.slice(0, 3)));
});
