import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { BeganAfter } from "./began-after";

const deployBefore = {
  ...{ id: "1", at: "2026-11-25T04:00:00.000Z", name: "9f3c2d1", version: null, commit: "9f3c2d1e" },
  ...{ build: null, url: "https://ci.example/7", by: null, workflows: [] },
};
const firstAt = "2026-11-25T04:04:00.000Z";

it("says how long after which deploy a problem began, or came back", () => {
  const { rerender, container } = render(<BeganAfter problem={{ deployBefore, firstAt, cameBack: null }} />);
  expect(container.textContent).toBe("Began 4 min after deploy 9f3c2d1");
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://ci.example/7");
  const cameBack = { after: "resolved" as const, at: "2026-11-25T04:00:30.000Z" };
  rerender(<BeganAfter problem={{ deployBefore, firstAt, cameBack }} />);
  expect(container.textContent).toBe("Came back 30 s after deploy 9f3c2d1");
  rerender(<BeganAfter problem={{ deployBefore: null, firstAt, cameBack: null }} />);
  expect(container.textContent).toBe("");
});
