import { createHash } from "node:crypto";
import type { Desk } from "../operator/command";
import type { Db } from "../store/db";
import { Notifier } from "../store/notifier";

/** An operator at work on this database; `requestKey` is their Idempotency-Key. */
export function aDesk(db: Db, given: { actor?: string; requestKey?: string; asks?: string } = {}): Desk {
  const { actor = "operator", requestKey, asks = "" } = given;
  return {
    db,
    notifier: new Notifier(db),
    actor,
    request:
      requestKey === undefined
        ? null
        : { key: requestKey, fingerprint: createHash("sha256").update(asks).digest("hex") },
  };
}
