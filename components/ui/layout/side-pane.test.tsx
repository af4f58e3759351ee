import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { SidePane } from "./side-pane";

it("a pane is made wider and narrower with the arrow keys, within bounds, and stays so", () => {
  const pane = (
    <SidePane label="Inspector" name="test.pane" usual={380}>
      x
    </SidePane>
  );
  const { unmount } = render(pane);
  const handle = () => screen.getByRole("separator", { name: "Width of the inspector" });
  fireEvent.keyDown(handle(), { key: "ArrowLeft" });
  expect(handle().getAttribute("aria-valuenow")).toBe("404");
  for (let press = 0; press < 10; press++) fireEvent.keyDown(handle(), { key: "ArrowRight" });
  expect(handle().getAttribute("aria-valuenow")).toBe("320");
  unmount();
  render(pane);
  expect(screen.getByRole("complementary").style.width).toBe("320px");
});
