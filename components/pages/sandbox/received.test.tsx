import { expect, it } from "vitest";
import { deliveredOf } from "./receiver-card";

const aMessage = (given: object) => ({
  id: "d-1",
  timestamp: 1_795_262_400,
  signature: "right" as const,
  body: JSON.stringify({ type: "problem.opened", data: { sentence: "order fails at charge (12 runs)" } }),
  receivedAt: "2026-11-21T12:00:00.000Z",
  ...given,
});

it("attempts at one message are one, the latest first, and refused only if none was taken", () => {
  const later = "2026-11-21T12:05:00.000Z";
  const [first, second] = deliveredOf([
    aMessage({ signature: "wrong" }),
    aMessage({ id: "d-2", signature: "wrong" }),
    aMessage({ receivedAt: later }),
  ]);
  expect(first).toMatchObject({ id: "d-1", times: 2, signature: "right", receivedAt: later });
  expect(first?.headline).toBe("problem.opened: order fails at charge (12 runs)");
  expect(second).toMatchObject({ id: "d-2", times: 1, signature: "wrong", signedAt: "2026-11-21T12:00:00.000Z" });
});

it("says what a digest counts, and shows what nobody can read as it came", () => {
  const digest = JSON.stringify({ type: "digest", data: { count: 14, events: [] } });
  expect(deliveredOf([aMessage({ body: digest })])[0]?.headline).toBe("digest: 14 events");
  expect(deliveredOf([aMessage({ body: "<xml>" })])[0]).toMatchObject({ headline: "<xml>", body: "<xml>" });
});
