import { describe, expect, it } from "vitest";
import { aSandbox, type TestSandbox } from "./fixture";

const order = { orderId: "order-1", amountCents: 4_200 };

async function ledgerOf(sandbox: TestSandbox) {
  return (await sandbox.get("/payments/ledger")).body;
}

describe("charges", () => {
  it("are made once per idempotency key, and the ledger says how often they were asked for", async () => {
    const sandbox = await aSandbox();
    const first = await sandbox.post("/payments/charges", order, "key-1");
    const again = await sandbox.post("/payments/charges", order, "key-1");

    expect(first).toMatchObject({ status: 201, body: { ...order, id: expect.stringMatching(/^ch_/) } });
    expect(again).toEqual({ status: 200, body: first.body });
    expect(await ledgerOf(sandbox)).toEqual({ charges: [{ ...first.body, requests: 2 }], refunds: [] });
  });

  it("are made once when the same key is asked ten times at the same moment", async () => {
    const sandbox = await aSandbox();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sandbox.post("/payments/charges", order, "key-1")),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await ledgerOf(sandbox)).charges).toMatchObject([{ requests: 10 }]);
  });

  it("refuse a key that was used for something else", async () => {
    const sandbox = await aSandbox();
    await sandbox.post("/payments/charges", order, "key-1");
    const other = await sandbox.post("/payments/charges", { ...order, amountCents: 1 }, "key-1");
    expect(other).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
  });

  it.each([
    { ...order, amountCents: 99_999_999 },
    { ...order, orderId: "DECLINED-7" },
  ])("decline $orderId over $amountCents without a trace", async (declined) => {
    const sandbox = await aSandbox();
    const answer = await sandbox.post("/payments/charges", declined, "key-1");
    expect(answer).toMatchObject({ status: 402, body: { error: { code: "card_declined" } } });
    expect((await ledgerOf(sandbox)).charges).toEqual([]);
  });

  it("are found by their key", async () => {
    const sandbox = await aSandbox();
    const { body } = await sandbox.post("/payments/charges", order, "key/1 &");
    const query = new URLSearchParams({ idempotencyKey: "key/1 &" });
    expect(await sandbox.get(`/payments/charges?${query}`)).toEqual({ status: 200, body });
    expect(await sandbox.get("/payments/charges?idempotencyKey=other")).toMatchObject({ status: 404 });
  });

  it("say what is wrong with a request", async () => {
    const sandbox = await aSandbox();
    const wrong = await sandbox.post("/payments/charges", { ...order, amountCents: -1 }, "key-1");
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    expect(wrong.body.error.message).toContain("amountCents");

    const keyless = await sandbox.post("/payments/charges", order);
    expect(keyless).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    expect(keyless.body.error.message).toContain("Idempotency-Key");

    const torn = await sandbox.fetch("/payments/charges", {
      method: "POST",
      headers: { "Idempotency-Key": "key-1" },
      body: "{",
    });
    expect(await torn.json()).toMatchObject({ error: { code: "invalid_json" } });

    const huge = await sandbox.post("/payments/charges", { ...order, note: "x".repeat(1024 * 1024) }, "key-1");
    expect(huge).toMatchObject({ status: 413, body: { error: { code: "too_large" } } });
  });
});

describe("refunds", () => {
  it("are made once per charge", async () => {
    const sandbox = await aSandbox();
    const charge = (await sandbox.post("/payments/charges", order, "charge-1")).body;
    const asked = { chargeId: charge.id };
    const refund = await sandbox.post("/payments/refunds", asked, "refund-1");

    expect(refund).toMatchObject({ status: 201, body: { ...asked, idempotencyKey: "refund-1" } });
    expect(await sandbox.post("/payments/refunds", asked, "refund-1")).toEqual({ status: 200, body: refund.body });
    expect(await sandbox.post("/payments/refunds", asked, "refund-2")).toMatchObject({
      status: 409,
      body: { error: { code: "already_refunded" } },
    });
    expect(await sandbox.post("/payments/refunds", { chargeId: "ch_none" }, "refund-3")).toMatchObject({ status: 404 });
    expect(await sandbox.get("/payments/refunds?idempotencyKey=refund-1")).toEqual({ status: 200, body: refund.body });
    expect((await ledgerOf(sandbox)).refunds).toEqual([refund.body]);
  });
});

describe("a gateway in trouble", () => {
  const chargeIn = (sandbox: TestSandbox, key = "key-1") => sandbox.post("/payments/charges", order, key);

  it("turns everyone away while it is down, and its ledger still answers", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "down" });
    expect(await chargeIn(sandbox)).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(await sandbox.get("/payments/charges?idempotencyKey=key-1")).toMatchObject({ status: 503 });
    expect(await ledgerOf(sandbox)).toEqual({ charges: [], refunds: [] });

    await sandbox.put("/payments/faults", { mode: "none" });
    expect(await chargeIn(sandbox)).toMatchObject({ status: 201 });
  });

  it("does it and loses the answer, once, and tells the truth when asked", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "lose-answer", times: 1 });
    await expect(chargeIn(sandbox)).rejects.toThrow("fetch failed");
    expect((await ledgerOf(sandbox)).charges).toMatchObject([{ idempotencyKey: "key-1", requests: 1 }]);
    expect(await sandbox.get("/payments/charges?idempotencyKey=key-1")).toMatchObject({ status: 200 });
    expect((await sandbox.get("/payments/faults")).body).toEqual({ mode: "none" });
    expect(await chargeIn(sandbox)).toMatchObject({ status: 200 });
  });

  it("does not count a read against the answers that it is to lose", async () => {
    const sandbox = await aSandbox();
    const fault = { mode: "lose-answer", rate: 1, times: 1 };
    await sandbox.put("/payments/faults", fault);
    expect(await sandbox.get("/payments/charges?idempotencyKey=key-1")).toMatchObject({ status: 404 });
    expect((await sandbox.get("/payments/faults")).body).toEqual(fault);
  });

  it("is flaky as often as set, and does nothing then", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "flaky", rate: 1, times: 2 });
    const answers = [await chargeIn(sandbox), await chargeIn(sandbox), await chargeIn(sandbox)];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 201]);
    expect((await ledgerOf(sandbox)).charges).toMatchObject([{ requests: 1 }]);

    await sandbox.put("/payments/faults", { mode: "flaky", rate: 0 });
    expect(await chargeIn(sandbox)).toMatchObject({ status: 200 });
  });

  it("still does what it was asked when a client loses patience with its slowness", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "slow", delayMs: 300, times: 1 });
    const impatient = sandbox.fetch("/payments/charges", {
      method: "POST",
      headers: { "Idempotency-Key": "key-1" },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(100),
    });
    await expect(impatient).rejects.toMatchObject({ name: "TimeoutError" });
    await expect.poll(async () => (await ledgerOf(sandbox)).charges).toHaveLength(1);
  });

  it("can refuse refunds while it charges", async () => {
    const sandbox = await aSandbox();
    await sandbox.put("/payments/faults", { mode: "flaky", rate: 1, only: "refunds" });
    const { status, body } = await chargeIn(sandbox);
    expect(status).toBe(201);
    expect(await sandbox.post("/payments/refunds", { chargeId: body.id }, "refund-1")).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable" } },
    });
  });
});
