import { expect, it } from "vitest";
import { cappedStatement } from "../db";
import { Constants } from "./run-filter";

it("a statement has its cap in its text and its name", () => {
  const statement = cappedStatement("few", "select $1::int, '$1'");
  expect(statement(10)).toEqual({ name: "few-10", text: "select 10::int, '10'" });
  expect(statement(10)).toBe(statement(10));
  expect(statement(2).name).toBe("few-2");
});

it("only numbers and words of our own are put into a text", () => {
  const constants = new Constants();
  expect(constants.add(11, "int")).toBe("'11'::int");
  expect(constants.add(["failed", "outcome_unknown"], "text[]")).toBe("'{failed,outcome_unknown}'::text[]");
  expect(constants.values).toEqual([]);
  for (const typed of ["it's", "a b", "", 'x"', "a\\", "a\n"])
    expect(() => constants.add(typed, "text")).toThrow("constant");
});
