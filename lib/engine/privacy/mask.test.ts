import { describe, expect, it } from "vitest";
import { inOneGo } from "../parts";
import { encodeValue } from "../values/codec";
import { HIDDEN, hiddenText, NOTHING_HIDDEN } from "./hidden-text";
import { checkMaskedPaths, MASKED, masked, maskOf, restored, secretsInParts } from "./mask";
import { maskedTag, tagValuesFor, withMaskedTags } from "./masked-tags";

const asStored = (value: unknown) => JSON.parse(encodeValue(value)) as unknown;
const show = (paths: string[], value: unknown) => masked(asStored(value), maskOf(paths), NOTHING_HIDDEN);

describe("a path", () => {
  it.each([
    ["card.number", { card: { number: "1", brand: "x" } }, { card: { number: MASKED, brand: "x" } }],
    ["card.number", { a: [{ card: { number: 1 } }] }, { a: [{ card: { number: MASKED } }] }],
    ["card.number", { number: 1, card: 2 }, { number: 1, card: 2 }],
    ["card", { card: { number: 1 } }, { card: MASKED }],
    ["card.*", { card: { number: 1, holder: [2] } }, { card: { number: MASKED, holder: MASKED } }],
    ["*.pin", { pin: 1, a: { pin: 2 } }, { pin: MASKED, a: { pin: MASKED } }],
    ["EMAIL", { email: "a", eMail: "b" }, { email: MASKED, eMail: MASKED }],
    ["people.name", { people: [{ name: "a" }, { name: "b" }] }, { people: [{ name: MASKED }, { name: MASKED }] }],
    ["*", { a: 1 }, MASKED],
    ["email", { email: null, other: [{ email: false }] }, { email: null, other: [{ email: MASKED }] }],
  ])("%s of %j", (path, value, shown) => expect(show([path], value)).toEqual(shown));

  it("leads into maps, errors and objects with awkward keys", () => {
    const error = Object.assign(new Error("no"), { card: { number: "4242" } });
    delete error.stack;
    const value = { map: new Map([["card", { number: 1 }]]), error, odd: { $type: "x", card: { number: 1 } } };
    const text = JSON.stringify(show(["card.number"], value));
    expect(text.match(/"masked"/g)).toHaveLength(3);
    expect(text).not.toMatch(/4242|"number":1/);
  });

  it("is refused when it is malformed", () => {
    for (const path of ["", "a..b", ".a", "a.", "a\0"]) expect(() => checkMaskedPaths("w", [path])).toThrow(/no path/);
    expect(() => checkMaskedPaths("w", Array(101).fill("a"))).toThrow(/100 are the most/);
  });
});

it("what has nothing masked in it is not copied, beside what has", () => {
  const plain = { a: [{ b: 1 }], "": null };
  const value = { plain, card: { pin: 1 } };
  const shown = masked(value, maskOf(["pin"]), NOTHING_HIDDEN) as typeof value;
  expect(shown).toEqual({ plain, card: { pin: MASKED } });
  expect([shown.plain.a[0], shown.card]).toEqual([plain.a[0], { pin: MASKED }]);
  expect(value.card.pin).toBe(1);
  expect(masked(plain.a[0], maskOf(["pin"]), NOTHING_HIDDEN)).toBe(plain.a[0]);
  expect(masked({ Ann: { x: 1 } }, maskOf([]), hiddenText(["Anna", "Ann"]))).toEqual({ [HIDDEN]: { x: 1 } });
});

it("each masked place is named by its own keys", () => {
  const found: string[][] = [];
  const value = { a: { pin: 1, b: [{ pin: 2 }, 3], pin2: 4 }, pin: 5 };
  masked(value, maskOf(["pin"]), NOTHING_HIDDEN, (way) => found.push([...way]));
  const kept: (readonly string[])[] = [];
  masked(value, maskOf(["pin"]), NOTHING_HIDDEN, (way) => kept.push(way));
  expect(found).toEqual([["a", "pin"], ["a", "b", "pin"], ["pin"]]);
  expect(kept).toEqual(found);
});

it("some names are always masked", () => {
  const value = {
    ...{ password: 1, "api-key": 1, Authorization: 1, accessToken: 1, client_secret: 1, cvv: 1, setCookie: 1 },
    ...{ tokens: 5, tokenCount: 5, idempotencyKey: "k", passenger: "p" },
  };
  const shown = show([], value) as Record<string, unknown>;
  expect(Object.keys(shown).filter((key) => shown[key] !== MASKED)).toEqual([
    ...["tokens", "tokenCount", "idempotencyKey", "passenger"],
  ]);
});

describe("a masked value in other texts", () => {
  const stored = asStored({ card: { number: "4242-4242", pin: 123456, cvc: "123" }, email: "Ann O'Hara <ann@x.org>" });
  const secrets = inOneGo(secretsInParts(stored, maskOf(["card", "email"])));
  const hidden = hiddenText(secrets);
  const { hideIn } = hidden;

  it("is recognized from four characters on, as text or number", () => {
    expect([...secrets]).toEqual(["4242-4242", "123456", "Ann O'Hara <ann@x.org>"]);
  });

  it.each([
    ["card 4242-4242 was declined", `card ${HIDDEN} was declined`],
    ["pin 123456, order 51234567", `pin ${HIDDEN}, order 51234567`],
    ["ANN O'HARA <ANN@X.ORG>", HIDDEN],
    [`https://x.org/?q=${encodeURIComponent("Ann O'Hara <ann@x.org>")}`, `https://x.org/?q=${HIDDEN}`],
    ["cut off in the middle: 4242-42…", `cut off in the middle: ${HIDDEN}…`],
    [`${"cut off without a mark ".repeat(9)}4242-42`, `${"cut off without a mark ".repeat(9)}${HIDDEN}`],
    ["4242-42", "4242-42"],
    ["nothing in it", "nothing in it"],
  ])("%s", (text, shown) => expect(hideIn(text)).toBe(shown));

  it("is hidden in other values, their keys and numbers", () => {
    const stored = asStored({ note: "pin 123456", "4242-4242": 1, again: 123456, big: 123456n });
    expect(masked(stored, maskOf([]), hidden)).toEqual({
      note: `pin ${HIDDEN}`,
      [HIDDEN]: 1,
      again: MASKED,
      big: MASKED,
    });
  });

  it("is hidden where a text has only its beginning, when it is long", () => {
    const long = "abcdefghij".repeat(100);
    const hidden = hiddenText([long]);
    expect(hidden.hideIn(`<${long}>`)).toBe(`<${HIDDEN}>`);
    expect(hidden.hideIn(`<${long.slice(0, 700)}`)).toBe(`<${HIDDEN}`);
  });
});

describe("a value edited in its masked form", () => {
  const original = { card: { number: "4242-4242" }, note: "pin 4242-4242", items: [{ email: "a@b.c", n: 1 }] };
  const mask = maskOf(["card.number", "email"]);
  const shown = masked(original, mask, hiddenText(inOneGo(secretsInParts(original, mask))));
  it("gets its masked parts back where they are unchanged, and nothing else", () => {
    expect(JSON.stringify(shown)).not.toContain("4242");
    const edited = structuredClone(shown) as { items: unknown[]; amount?: number };
    expect(restored(edited, shown, original)).toEqual(original);
    edited.amount = 5;
    expect(restored(edited, shown, original)).toEqual({ ...original, amount: 5 });
    edited.items.push({ email: "c@d.e" });
    expect(restored(edited, shown, original)).toMatchObject({ items: [{ email: MASKED }, { email: "c@d.e" }] });
    expect(restored({ other: MASKED, card: { number: "1" } }, shown, original)).toEqual({
      other: MASKED,
      card: { number: "1" },
    });
  });
});

it("values of every shape show no part of a masked value", () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % n;
  };
  const secret = () => `S${random(9)}-secret-${random(9)}`;
  const value = (depth: number): unknown => {
    const kinds = depth > 4 ? 3 : 9;
    switch (random(kinds)) {
      case 0:
        return `text with ${secret()} in it`;
      case 1:
        return random(1_000_000);
      case 2:
        return secret();
      case 3:
        return [value(depth + 1), value(depth + 1)];
      case 4:
        return new Map([[secret(), value(depth + 1)]]);
      case 5:
        return new Set([value(depth + 1)]);
      case 6:
        return Object.assign(new Error(secret()), { email: secret(), detail: value(depth + 1) });
      case 7:
        return { $type: secret(), email: value(depth + 1) };
      default:
        return { email: secret(), [secret()]: value(depth + 1), url: new URL(`https://x.org/?a=${secret()}`) };
    }
  };
  const email = Array.from({ length: 81 }, (_, n) => `S${Math.floor(n / 9)}-secret-${n % 9}`);
  for (let n = 0; n < 300; n++) {
    const stored = asStored({ email, deep: value(0) });
    const mask = maskOf(["email"]);
    expect(JSON.stringify(masked(stored, mask, hiddenText(inOneGo(secretsInParts(stored, mask)))))).not.toContain(
      "secret",
    );
  }
});

describe("tags", () => {
  const input = { email: "ann@x.org", orderId: "A-1" };
  it("that reveal a masked value are kept as digests", () => {
    const tags = inOneGo(
      withMaskedTags(
        { orderId: "A-1", to: "ann@x.org", email: "x" },
        { masked: ["email"], searchable: [] },
        JSON.stringify(input),
      ),
    );
    expect(tags).toEqual({ orderId: "A-1", to: maskedTag("ann@x.org"), email: maskedTag("x") });
  });
  it("are found only with permission to see masked values", () => {
    expect(tagValuesFor("ann@x.org", false)).toContain(maskedTag("ann@x.org"));
    expect(tagValuesFor("ann@x.org", true)).toEqual(["ann@x.org"]);
    expect(tagValuesFor(maskedTag("ann@x.org"), true)).not.toContain(maskedTag("ann@x.org"));
  });
});
