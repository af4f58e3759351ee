import { expect } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { prepareEvent } from "../../engine/events/prepare-event";
import { decodeValue } from "../../engine/values/codec";
import { poolDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { answerApproval } from "../actions";
import type { TestDatabase } from "../database/database";
import { untilResting } from "../database/history";
import { aDesk } from "../desk";
import { startWorker } from "../workers/a-worker";
import { EVERY_CLAIM, PLAIN_STEP, rowsOf, SAME_FOR_ALL, type Scene, TRANSACTION } from "./fault-scene";

const refund = (id: string) => ({ accountId: id, orderId: id, parcelId: id, amountCents: 9_000, reason: "too small" });

/** A person has approved it, and the parcel is back before the run waits for it. */
async function answeredAndReturned(database: TestDatabase, runId: string): Promise<void> {
  const worker = await startWorker(database, workflows);
  const { run } = await untilResting(database.pool, runId);
  await worker.stop();
  const db = poolDb(database.pool);
  await answerApproval(aDesk(db), { runId, step: "approve-refund", choice: "approve" });
  const { parcelId } = decodeValue(run.input) as ReturnType<typeof refund>;
  await sendEvent(db, await prepareEvent("parcel.returned", { parcelId }, { key: parcelId }));
}

/** A worker dies while it takes an answer, an event, and pays. */
export const refundScene: Scene = {
  workflow: "refund-request",
  input: refund,
  before: answeredAndReturned,
  passes: [...EVERY_CLAIM, ...PLAIN_STEP, ...TRANSACTION, "events:before-commit", "events:after-commit"],
  except: SAME_FOR_ALL,
  also: [
    { point: "events:before-commit", passage: 2 },
    { point: "events:after-commit", passage: 2 },
  ],
  judge: async ({ run }, id, database) => {
    expect(run).toMatchObject({ status: "completed", output: { refunded: true } });
    const entries = "select amount_cents from demo.account_entry where account_id = $1";
    expect(await rowsOf(database, entries, [id])).toEqual([{ amount_cents: 9_000 }]);
    const taken = "select count(*)::int as taken from handrail.event where taken_by = $1";
    expect(await rowsOf(database, taken, [run.id])).toEqual([{ taken: 2 }]);
  },
};
