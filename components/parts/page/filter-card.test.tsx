import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { FilterCard } from "./filter-card";

it("opens the fields by a button that says how many are set", () => {
  render(
    <FilterCard set={2} className="">
      <input aria-label="Run" />
    </FilterCard>,
  );
  const button = screen.getByRole("button", { name: /^Filters ?2 ?set$/ });
  const card = () => document.getElementById(button.getAttribute("aria-controls") ?? "")?.className;
  expect(button.getAttribute("aria-expanded")).toBe("false");
  expect(card()).toContain("max-md:hidden");
  fireEvent.click(button);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(card()).not.toContain("max-md:hidden");
});
