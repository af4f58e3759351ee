import { expect } from "@playwright/test";
import type { Run } from "../../lib/api/contract/run";
import { handrail, untilAttention, untilRun } from "./api";
import { mend, setFault } from "./faults";
import { sandboxUrl } from "./ledger";
import { freshId } from "./orders";

/** A 1 × 1 PNG. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const startedImage = () =>
  handrail.start({ workflow: "profile-image", input: { userId: freshId("user"), image: PIXEL } });

const isStored = async ({ id }: Run) => (await (await fetch(`${sandboxUrl}/blobs`)).text()).includes(`profiles/${id}.`);

export interface TroubledImages {
  failed: Run;
  unknown: Run;
  /** Completed, and then its compensation failed. */
  compensationFailed: Run;
}

/** One run in each kind of trouble, by way of the blob store: the gateway and the mailbox are left alone. */
export async function imagesInTrouble(): Promise<TroubledImages> {
  try {
    const done = await untilRun((await startedImage()).id, "completed");
    await setFault("blobs", { mode: "lose-answer", times: 1 });
    const unknown = await startedImage();
    await expect.poll(() => isStored(unknown), { intervals: [20] }).toBe(true);
    await setFault("blobs", { mode: "down" });
    const failed = await startedImage();
    await handrail.compensate(done.id, { reason: "They want their picture gone" });
    return {
      failed: await untilRun(failed.id, "failed"),
      unknown: await untilAttention(unknown.id, "outcome_unknown"),
      compensationFailed: await untilAttention(done.id, "compensation_owed"),
    };
  } finally {
    await mend("blobs");
  }
}
