import { describe, expect, it } from "vitest";
import { checkedHeaders, type Headers, handedOn } from "./headers";

describe("headers of a start", () => {
  it.each([undefined, {}])("are null for none: %j", (given) => expect(checkedHeaders(given)).toBeNull());

  it.each([
    { tenant: "acme", "x-request-id": "4711", user_id: "ü 1" },
    { a: "x".repeat(256), [`b${"x".repeat(63)}`]: "1" },
    Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`h${index}`, "1"])),
  ])("are kept as they are", (given) => expect(checkedHeaders(given as Headers)).toEqual(given));

  it.each<[string, unknown]>([
    ["17 of them", Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`h${index}`, "1"]))],
    ["a name in upper case", { Tenant: "acme" }],
    ["a name with a dot, which no masked path could name", { "tenant.id": "acme" }],
    ["a name that is empty", { "": "acme" }],
    ["a name that is too long", { ["a".repeat(65)]: "acme" }],
    ["the prototype's name", JSON.parse('{"__proto__":"acme"}')],
    ["a value that is empty", { tenant: "" }],
    ["a value that is too long", { tenant: "x".repeat(257) }],
    ["a value that is a number", { tenant: 1 }],
    ["a line break", { tenant: "a\r\nb" }],
    ["NUL", { tenant: "a\0" }],
    ["half of a surrogate pair", { tenant: "\ud800" }],
  ])("are refused: %s", (_, given) =>
    expect(() => checkedHeaders(given as Headers)).toThrow(expect.objectContaining({ code: "invalid_request" })),
  );

  it("go on to what a run starts, with what its code adds or replaces", () => {
    const own = { tenant: "acme", user: "lin" };
    expect(handedOn(own, undefined)).toBe(own);
    expect(handedOn(null, undefined)).toBeNull();
    expect(handedOn(own, { user: "ada", part: "2" })).toEqual({ tenant: "acme", user: "ada", part: "2" });
    expect(() => handedOn(own, { Part: "2" })).toThrow("lower-case");
  });
});
