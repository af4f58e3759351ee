import { expect, it } from "vitest";
import { csvCell, csvLine } from "./csv";

it.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "so"', '"say ""so"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", '"\'=1+1"'],
  ["+49 30", '"\'+49 30"'],
  ["-x", '"\'-x"'],
  ["@SUM(A1)", '"\'@SUM(A1)"'],
  ["\t=1", '"\'\t=1"'],
  ["\r=1", '"\'\r=1"'],
  ["  =1", '"\'  =1"'],
  ["＝1", '"\'＝1"'],
  [-5, "-5"],
  [true, "true"],
  [null, ""],
  [undefined, ""],
  [{ a: 1 }, '"{""a"":1}"'],
])("%j becomes %s", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

it("a line ends as RFC 4180 requires", () => {
  expect(csvLine(["a", null, 2])).toBe("a,,2\r\n");
});
