import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { JsonView } from "./json-view";
import { type Json, toValueNode } from "./value-node";

describe("what JSON lacks, read back from its tags", () => {
  it.each<[string, Json, string]>([
    ["a date", { $type: "Date", value: "2026-11-21T12:05:04.000Z" }, "2026-11-21T12:05:04.000Z"],
    ["a bigint", { $type: "bigint", value: "9007199254740993" }, "9007199254740993n"],
    ["undefined", { $type: "undefined" }, "undefined"],
    ["a value that is not shown", { $type: "masked" }, "••• masked"],
    [
      "a value whose key is missing",
      { $type: "locked", key: "2026-10", value: "why" },
      "sealed with the key “2026-10”, which is not available here",
    ],
    ["a value elsewhere", { $type: "blob", size: 3_400_000 }, "3.4 MB, in the blob store"],
    ["not a number", { $type: "number", value: "NaN" }, "NaN"],
    ["a URL", { $type: "URL", value: "https://example.com/a" }, "https://example.com/a"],
    ["binary", { $type: "Uint8Array", value: "aGFuZHJhaWw=" }, "binary, 8 bytes"],
    ["a text that JSON cannot carry", { $type: "string", value: "a\\u0000b" }, '"a\\u0000b"'],
  ])("%s", (_, json, text) => {
    expect(toValueNode(json)).toMatchObject({ kind: "scalar", text });
  });

  it("shows maps with keys of any kind, sets, errors and escaped objects with their parts", () => {
    const map: Json = {
      $type: "Map",
      value: [
        ["a", 1],
        [{ $type: "bigint", value: "2" }, 2],
      ],
    };
    expect(toValueNode(map)).toMatchObject({
      label: "Map",
      parts: [
        { key: '"a"', value: 1 },
        { key: "2n", value: 2 },
      ],
    });
    expect(toValueNode({ $type: "Set", value: [1, 2] })).toMatchObject({ label: "Set", open: "[", parts: [{}, {}] });
    expect(toValueNode({ $type: "Error", value: { name: "E", message: "m" } })).toMatchObject({ label: "Error" });
    expect(toValueNode({ $type: "object", value: [["$type", "mine"]] })).toMatchObject({
      label: "",
      parts: [{ key: "$type", value: "mine" }],
    });
  });

  it("shows a tag it does not know as the object that it is", () => {
    expect(toValueNode({ $type: "Tomorrow", value: 1 })).toMatchObject({
      kind: "parts",
      parts: [{ key: "$type" }, { key: "value" }],
    });
  });
});

describe("the viewer", () => {
  it("folds what lies deep and opens it on request", async () => {
    render(<JsonView value={{ a: { b: { c: { d: "deep" } } } }} what="the input" />);
    expect(screen.queryByText('"deep"')).toBeNull();
    const folded = screen.getAllByRole("button", { expanded: false }).at(-1);
    await userEvent.click(folded as HTMLElement);
    expect(screen.getByText('"deep"')).toBeTruthy();
  });

  it("shows strangers' markup as text", () => {
    const { container } = render(<JsonView value={{ note: "<img src=x onerror=alert(1)>" }} what="the input" />);
    expect(container.querySelector("img")).toBeNull();
    expect(screen.getByText('"<img src=x onerror=alert(1)>"')).toBeTruthy();
  });

  it("opens an object of many parts, which is what people came to read", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, index]));
    render(<JsonView value={{ ...many, inner: many }} what="the run" />);
    expect(screen.getByText("field59:")).toBeDefined();
    expect(screen.getAllByText("field1:")).toHaveLength(1);
  });

  it("draws a long list in portions", async () => {
    render(<JsonView value={Array.from({ length: 450 }, (_, index) => index)} what="the output" />);
    await userEvent.click(screen.getByRole("button", { expanded: false }));
    expect(screen.queryByText("449")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "… 250 more" }));
    await userEvent.click(screen.getByRole("button", { name: "… 50 more" }));
    expect(screen.getByText("449")).toBeTruthy();
  });
});
