import { describe, expect, it } from "vitest";
import { Rest } from "../passes/rest";
import { WriteBuffer } from "../records/write-buffer";
import { Claim } from "./claim";
import { ClaimLost } from "./claim-lost";

/** A claim whose statements are never sent. */
function aClaim() {
  const rest = new Rest(0);
  const run = { id: "run", epoch: 7, steps: [] } as unknown as ConstructorParameters<typeof Claim>[0];
  const buffer = new WriteBuffer(undefined as unknown as ConstructorParameters<typeof WriteBuffer>[0]);
  return { rest, claim: new Claim(run, 1, rest, buffer, () => undefined) };
}

describe("a statement beside the buffer", () => {
  it("is repeated until Postgres answers", async () => {
    const { claim } = aClaim();
    let asked = 0;
    const answer = await claim.retrying(async () => {
      if (++asked < 3) throw new Error("connection lost");
      return "answer";
    });
    expect([answer, asked]).toEqual(["answer", 3]);
  });

  it("is not repeated when Postgres refuses it", async () => {
    const { claim, rest } = aClaim();
    const refusal = Object.assign(new Error("not unique"), { code: "23505" });
    await expect(claim.retrying(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(rest.stopReason).toBeUndefined();
  });

  it("ends the pass when it finds that the run has another owner", async () => {
    const { claim, rest } = aClaim();
    await expect(claim.retrying(() => Promise.reject(new ClaimLost("run")))).rejects.toThrow(ClaimLost);
    expect(await rest.outcome).toEqual({ kind: "lost" });
    expect(() => claim.assertOwned()).toThrow(ClaimLost);
  });
});
