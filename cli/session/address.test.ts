import { expect, it } from "vitest";
import { baseOf, checkedToken } from "./address";
import { UsageError } from "./stops";

it.each([
  [undefined, "http://127.0.0.1:3000/api"],
  ["https://handrail.example.com/", "https://handrail.example.com/api"],
  ["https://shop.example.com/handrail/", "https://shop.example.com/handrail"],
  ["http://[::1]:4000", "http://[::1]:4000/api"],
])("%s is asked at %s", (given, base) => {
  expect(baseOf(given)).toEqual({ base, isPlain: false });
});

it("knows where a token would be sent without encryption", () => {
  expect(baseOf("http://handrail.internal").isPlain).toBe(true);
  expect(baseOf("http://localhost:3000").isPlain).toBe(false);
});

it.each(["handrail.example.com", "ftp://a.example", "http://user:secret@a.example", "http://a.example/?x=1"])(
  "%s is no address",
  (given) => {
    expect(() => baseOf(given)).toThrow(UsageError);
  },
);

it("refuses a token that no header takes, and does not repeat it", () => {
  expect(checkedToken("hr_abc")).toBe("hr_abc");
  expect(() => checkedToken("hr_abc\nd")).toThrow(/^(?!.*hr_abc).*HANDRAIL_TOKEN/);
});
