import { describe, expect, it } from "vitest";
import { withScripts } from "./scripts";

const ADDED = { "handrail:worker": "handrail worker", test: "node --test" };

describe("withScripts", () => {
  it("keeps the formatting, and scripts that are there", () => {
    const text =
      '{\n\t"files": ["a", "b"],\n\t"scripts": {\n\t\t"test": "echo \\"{no}\\" && exit 1"\n\t},\n\t"name": "x"\n}\n';
    expect(withScripts(text, ADDED)).toBe(
      '{\n\t"files": ["a", "b"],\n\t"scripts": {\n\t\t"test": "echo \\"{no}\\" && exit 1",\n\t\t"handrail:worker": "handrail worker"\n\t},\n\t"name": "x"\n}\n',
    );
  });

  it.each([
    ['{\n    "name": "x"\n}', '{\n    "name": "x",\n    "scripts": {\n        "a": "b"\n    }\n}'],
    ["{}\n", '{\n  "scripts": {\n    "a": "b"\n  }\n}\n'],
    ['{\r\n  "scripts": {}\r\n}', '{\r\n  "scripts": {\r\n    "a": "b"\r\n  }\r\n}'],
    ['{"scripts":{"c":"d"}}', '{"scripts":{"c":"d",\n    "a": "b"\n  }}'],
  ])("%j", (text, wanted) => {
    expect(withScripts(text, { a: "b" })).toBe(wanted);
    expect(withScripts(wanted, { a: "b" })).toBe(wanted);
  });

  it("gives up where another object is called scripts before them", () => {
    expect(withScripts('{"config":{"scripts":{"c":"d"}},"scripts":{"c":"d"}}', { a: "b" })).toBeNull();
  });
});
