import { describe, expect, it } from "vitest";
import { RUN_STATUSES } from "../engine/runs/run";
import { FIELDS } from "./fields";
import { parseFilter, printFilter, type Query, type Term } from "./language";

const term = (field: Term["field"], value: string, not = false): Term => ({ field, value, not });

describe("reading a filter", () => {
  it.each<[string, Query]>([
    ["", { terms: [], text: "" }],
    ["  A-17  ", { terms: [], text: "A-17" }],
    ["status:failed", { terms: [term("status", "failed")], text: "" }],
    ["Status:FAILED", { terms: [term("status", "failed")], text: "" }],
    [
      "status:failed A-17 workflow:order",
      { terms: [term("status", "failed"), term("workflow", "order")], text: "A-17" },
    ],
    ["-status:completed", { terms: [term("status", "completed", true)], text: "" }],
    ["tag.orderId:A-17", { terms: [term("tag.orderId", "A-17")], text: "" }],
    ['error:"connection \\"refused\\""', { terms: [term("error", 'connection "refused"')], text: "" }],
    ['error:"not ended', { terms: [term("error", "not ended")], text: "" }],
    ["took:5m", { terms: [term("took", ">5m")], text: "" }],
    ["took:<1.5s", { terms: [term("took", "<1.5s")], text: "" }],
    ["since:24h until:1h", { terms: [term("since", "24h"), term("until", "1h")], text: "" }],
    ["since:2026-11-21T10:00Z", { terms: [term("since", "2026-11-21T10:00:00.000Z")], text: "" }],
    [
      "did:charge-payment -did:refund",
      { terms: [term("did", "charge-payment"), term("did", "refund", true)], text: "" },
    ],
    ["not:refund Not:ship", { terms: [term("did", "refund", true), term("did", "ship", true)], text: "" }],
    ["failed-attempts:>3", { terms: [term("failed-attempts", ">3")], text: "" }],
    [
      "failed-attempts:>=3 failed-attempts:1",
      { terms: [term("failed-attempts", ">2"), term("failed-attempts", ">0")], text: "" },
    ],
    ["took.charge-payment:2s", { terms: [term("took.charge-payment", ">2s")], text: "" }],
    ["Input.amountCents:>=10000", { terms: [term("input.amountCents", ">=10000")], text: "" }],
    ['output.address.city:"New York"', { terms: [term("output.address.city", "New York")], text: "" }],
    // Text without a field name is a business key.
    ["order:17 https://a.b/c -x", { terms: [], text: "order:17 https://a.b/c -x" }],
    ['"status:failed"', { terms: [], text: "status:failed" }],
    ["tag.:x :x", { terms: [], text: "tag.:x :x" }],
  ])("%s", (written, query) => {
    expect(parseFilter(written)).toEqual({ ...query, faults: [] });
  });

  it.each([
    ["status:broken", /“broken” is not a status\. Choose from pending, /],
    ["status:", /Write a value for status/],
    ["version:seven", /“seven” is not a version/],
    ["since:yesterday", /Write how long ago, such as since:24h/],
    ["since:2026-13-45", /is not a time/],
    ["took:long", /Write took:>5m or took:<10s/],
    ["failed-attempts:many", /Write failed-attempts:>3/],
    ["took.charge:long", /Write took\.charge:>2s/],
    ["input.amount:>much", /“much” is not a number\. Write input\.amount:>10000/],
    ["input.a..b:1", /is not a path/],
    ["-took.charge:>2s", /took\.charge cannot be negated/],
    ["-not:ship", /Write did:ship for runs/],
    ["-since:1h", /since cannot be negated/],
    ["-tag.a:b", /tag\.a cannot be negated/],
  ])("%s is answered with what to write instead", (written, says) => {
    expect(parseFilter(written)).toEqual({
      terms: [],
      text: "",
      faults: [{ written, says: expect.stringMatching(says) }],
    });
  });
});

describe("a time without a zone", () => {
  const readAs = (written: string) => parseFilter(written, "Europe/Berlin").terms[0]?.value;

  it("is the viewer's where it is typed, and UTC in an address", () => {
    expect(readAs("since:2026-11-21")).toBe("2026-11-20T23:00:00.000Z");
    expect(readAs("since:2026-11-21T14:30")).toBe("2026-11-21T13:30:00.000Z");
    expect(readAs("since:2026-11-21T14:30+05:00")).toBe("2026-11-21T09:30:00.000Z");
    expect(parseFilter("since:2026-11-21").terms[0]?.value).toBe("2026-11-21T00:00:00.000Z");
  });

  it("takes all in that may be meant where clocks are put back, and is none where they are put forward", () => {
    expect(readAs("since:2026-10-25T02:30")).toBe("2026-10-25T00:30:00.000Z");
    expect(readAs("until:2026-10-25T02:30")).toBe("2026-10-25T01:30:00.000Z");
    const { faults } = parseFilter("since:2026-03-29T02:30", "Europe/Berlin");
    expect(faults[0]?.says).toMatch(/^There is no 2026-03-29T02:30\. The clocks of Europe\/Berlin are put forward/);
  });
});

/** A small generator: the same texts in every test run. */
function* numbers(seed: number) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

it("what is printed is read as what it was", () => {
  const chance = numbers(7);
  const below = (limit: number) => Math.floor((chance.next().value as number) * limit);
  const PARTS = ["a", "Z-9", " ", '"', "\\", ":", "-", "status:", "tag.x:", "·", "\n", "ü", "<", ">", "5m", "%"];
  const text = () => Array.from({ length: 1 + below(6) }, () => PARTS[below(PARTS.length)]).join("");
  const VALUES: Partial<Record<string, () => string>> = {
    status: () => RUN_STATUSES[below(RUN_STATUSES.length)] as string,
    attention: () => "failed",
    version: () => String(1 + below(99)),
    since: () => ["24h", "90s", "2026-11-21T10:00:00.000Z"][below(3)] as string,
    until: () => "7d",
    "failed-attempts": () => `>${below(9)}`,
    took: () => `${below(2) ? "<" : ">"}${1 + below(90)}s`,
  };
  for (let round = 0; round < 5_000; round++) {
    const terms = Array.from({ length: below(4) }, () => {
      const field =
        below(3) === 0 ? (`tag.${["orderId", "ä.b", "tag"][below(3)]}` as const) : FIELDS[below(FIELDS.length)];
      const not = /^(status|workflow|step|error|version|did)$/.test(field as string) && below(2) === 0;
      return term(field as Term["field"], (VALUES[field as string] ?? text)(), not);
    });
    const query = { terms, text: below(2) ? text().trim() : "" };
    expect(parseFilter(printFilter(query)), printFilter(query)).toEqual({ ...query, faults: [] });
  }
});
