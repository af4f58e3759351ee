import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Deploy } from "@/lib/api/contract/deploys";
import { DeployLink } from "./deploy-link";
import { DeployList } from "./deploy-list";
import { marksOf } from "./deploy-marks";

const deploy = (id: number, more: Partial<Deploy> = {}): Deploy => ({
  ...{ id: String(id), at: `2026-11-25T04:0${id}:00.000Z`, name: `d${id}`, version: `d${id}` },
  ...{ commit: null, build: null, url: null, by: null, workflows: [] },
  ...more,
});

it("a deploy leads to its page in a new tab, and to nothing but http", () => {
  const { rerender } = render(<DeployLink deploy={deploy(1, { url: "https://ci.example/7" })} />);
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://ci.example/7");
  rerender(<DeployLink deploy={deploy(1, { url: "javascript:alert(1)" })} />);
  expect(screen.queryByRole("link")).toBeNull();
});

it("a chart's deploys are listed latest first, with what they brought, and how many are left out", () => {
  const brought = [{ workflow: "orders", versions: [4, 5] }];
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => deploy(id, id === 8 ? { workflows: brought } : {}));
  const { rerender, container } = render(<DeployList deploys={all} />);
  const texts = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^d8 .* · orders v4, v5$/);
  expect(texts.map((text) => text?.slice(0, 2))).toEqual(["d8", "d7", "d6", "d5", "d4", "d3", "an"]);
  expect(texts.at(-1)).toBe("and 2 earlier");
  rerender(<DeployList deploys={[]} />);
  expect(container.textContent).toBe("");
});

it("a long name is cut on a line of a chart", () => {
  const [mark] = marksOf([deploy(1, { name: "a-very-long-name-of-a-build" })]);
  expect(mark).toEqual({
    atMs: Date.parse(deploy(1).at),
    name: "a-very-long-name-of…",
    words: "deploy a-very-long-name-of…",
  });
});
