import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stepPattern } from "../steps/step-pattern";
import type { SerializedError } from "../values/serialized-error";
import { fingerprintsOf, patternOf } from "./fingerprint";

const pattern = (message: string, name = "Error") => patternOf({ name, message });
const print = (error: SerializedError) => fingerprintsOf(error, null).fingerprints[0]?.fingerprint;

/** Real messages, and their patterns. */
const MET: [message: string, pattern: string][] = [
  ["connect ECONNREFUSED 127.0.0.1:3001", "connect ECONNREFUSED <address>"],
  ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED <address>"],
  ["connect ETIMEDOUT [2001:db8::ff00:42:8329]:443", "connect ETIMEDOUT <address>"],
  ["getaddrinfo ENOTFOUND api.eu-west-1.payments.example", "getaddrinfo ENOTFOUND <address>"],
  ["getaddrinfo EAI_AGAIN db-7.internal:5432", "getaddrinfo EAI_AGAIN <address>"],
  ["Request failed with status code 503", "Request failed with status code 503"],
  ["Request failed with status code 404", "Request failed with status code 404"],
  ["The payment gateway answered 503.", "The payment gateway answered 503."],
  ["HTTP/1.1 502 Bad Gateway", "HTTP/<n> 502 Bad Gateway"],
  ["Card 4242 was declined for 1,250.00 EUR", "Card <n> was declined for <n> EUR"],
  ["No such charge: 'ch_3NqZ2eLkdIwHu7ix0J'", "No such charge: <value>"],
  ["No such customer: cus_9s6XKzkNRiz8i3", "No such customer: <id>"],
  ["Order A-17 is not known", "Order A-<n> is not known"],
  ["Order 0190a1b2-c3d4-7e5f-8a6b-112233445566 not found", "Order <id> not found"],
  ["Cannot read properties of undefined (reading 'total')", "Cannot read properties of undefined (reading <value>)"],
  ["The user can't be found and isn't new: 12", "The user can't be found and isn't new: <n>"],
  [
    'duplicate key value violates unique constraint "order_pkey"',
    "duplicate key value violates unique constraint <value>",
  ],
  ["Key (id)=(a81bc81bde) already exists.", "Key (id)=(<id>) already exists."],
  [
    "canceling statement due to statement timeout after 30000ms",
    "canceling statement due to statement timeout after <n>ms",
  ],
  ["Could not write to ada.lovelace+x@example.co.uk: mailbox full", "Could not write to <email>: mailbox full"],
  ["GET https://api.example.com/v1/charges/17?expand=a failed", "GET <url> failed"],
  ["Token expired at 2026-11-21T10:55:30.123Z", "Token expired at <time>"],
  ["Token expired at 2026-11-21 10:55:30+02:00", "Token expired at <time>"],
  ["Not before Sat, 21 Nov 2026 10:55:30 GMT", "Not before <time>"],
  ["Not before Sat Nov 21 2026 10:55:30 GMT+0000 (Coordinated Universal Time)", "Not before <time>"],
  ["Deadlock found at 0x7ffee4 in page 4f3c2a1b", "Deadlock found at <id> in page <id>"],
  ['Bad answer: {"id":17,"items":[{"sku":"x"}]}', "Bad answer: <value>"],
  ["Items 4, 8, 15 and 16 are gone", "Items <n> and <n> are gone"],
  ["ER_DUP_ENTRY: Duplicate entry '17-a' for key 'PRIMARY'", "ER_DUP_ENTRY: Duplicate entry <value> for key <value>"],
  ["ERR_HTTP2_STREAM_CANCEL", "ERR_HTTP2_STREAM_CANCEL"],
  ["The TLS1 handshake failed: sha1 is refused", "The TLS1 handshake failed: sha1 is refused"],
  ["\u001b[31mInvalid\u001b[0m   `prisma.order.create()`\n  invocation", "Invalid <value> invocation"],
  ["java.lang.NullPointerException at line 12", "java.lang.NullPointerException at line <n>"],
  ["Job order1234 took 12.5s", "Job order<n> took <n>s"],
];

describe("the fingerprint of a failure", () => {
  test.each(MET)("%s", (message, expected) => expect(pattern(message)).toBe(expected));

  test.each(MET)("has a stable pattern: %s", (_, expected) => expect(pattern(expected)).toBe(expected));

  test("separates failures that only look alike", () => {
    const error = { name: "Error", message: "fetch failed" };
    const prints = [
      error,
      { ...error, name: "TypeError" },
      { ...error, code: "ECONNRESET" },
      { ...error, cause: { name: "Error", message: "connect ECONNREFUSED 10.0.0.1:443", code: "ECONNREFUSED" } },
      { ...error, cause: { name: "Error", message: "getaddrinfo ENOTFOUND", code: "ENOTFOUND" } },
    ].map(print);
    expect(new Set(prints).size).toBe(prints.length);
  });

  test("is the same for any digits and letters of an id", () => {
    const id = fc.stringMatching(/^[0-9a-f]{8}$/);
    const ids = fc.array(id, { minLength: 1, maxLength: 3 });
    const ofOrders = (orders: string[]) =>
      print({ name: "Error", message: `Orders ${orders.map((one) => `E-${one}`)}` });
    expect(print({ name: "Error", message: "order 35259578" })).toBe(
      print({ name: "Error", message: "order deadbeef" }),
    );
    fc.assert(
      fc.property(ids, (orders) => {
        expect(ofOrders(orders)).toBe(ofOrders(orders.map(() => "4af31b22")));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is the same for any stack, and for any deeper causes", () => {
    const deep = (depth: number): SerializedError =>
      depth === 0 ? { name: "Error", message: "x" } : { name: "Error", message: "x", cause: deep(depth - 1) };
    expect(print({ name: "E", message: "m", stack: "at a.ts:1" })).toBe(print({ name: "E", message: "m" }));
    expect(print(deep(4))).toBe(print(deep(5)));
  });

  test("of a thrown text is the text", () => {
    const thrown = (text: string) =>
      print({ name: "NotAnError", message: `A value that is not an Error was thrown: ${JSON.stringify(text)}` });
    expect(thrown("no stock of 17")).toBe(thrown("no stock of 4"));
    expect(thrown("no stock of 17")).not.toBe(thrown("no such item 17"));
  });

  test("ignores ids, numbers, addresses, times and quoted values", () => {
    const slots = [
      fc.uuid(),
      fc.integer().map(String),
      fc.double({ min: 1, max: 1e6, noNaN: true }).map((value) => value.toFixed(2)),
      fc.ipV4(),
      fc.ipV6(),
      fc.emailAddress().filter((email) => /^[\w.+%-]+@/.test(email)),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
      fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => JSON.stringify(text)),
      fc.string({ maxLength: 20 }).map((text) => `'${text.replaceAll("'", "")}'`),
    ];
    const word = fc.constantFrom("order", "can't", "be", "found:", "charge", "ECONNREFUSED", "gone,", "Zürich");
    const pair = fc.oneof(
      word.map((text) => [text, text]),
      ...slots.map((slot) => fc.tuple(slot, slot)),
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 12 }), (pairs) => {
        const [one, other] = [0, 1].map((side) => pairs.map((both) => both[side]).join(" "));
        expect(pattern(one as string)).toBe(pattern(other as string));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is bounded, and computed quickly for hostile texts", () => {
    const hostile = [
      "a",
      "a1",
      "1a",
      ":",
      "0:",
      "a.",
      "'",
      '"',
      "{",
      "x@",
      "\\",
      "<n>, ",
      "a:1",
      "Mon ",
      "9",
      "-",
      "_a",
    ];
    const before = performance.now();
    for (const piece of hostile) expect(pattern(piece.repeat(100_000)).length).toBeLessThanOrEqual(500);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

test.each([
  ["charge-payment", "charge-payment"],
  ["send-3", "send-<n>"],
  ["send:17", "send:<id>"],
  ["item[4]", "item[<id>]"],
  ["charge:E-ab12cd34", "charge:<id>"],
  ["charge:A-17", "charge:<id>"],
  ["phase:send", "phase:send"],
  ["charge-v2", "charge-v2"],
  ["step2", "step2"],
  ["mail 0190a1b2-c3d4-7e5f-8a6b-112233445566", "mail <id>"],
])("the step %s is %s", (step, expected) => expect(stepPattern(step)).toBe(expected));
