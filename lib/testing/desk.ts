import { createHash } from "node:crypto";
import { type CallerKind, systemCaller } from "../engine/audit/audit";
import type { Desk } from "../operator/desk";
import { Notifier } from "../store/database/notifier";
import type { Db } from "../store/db";
import { TEST_AUDIT_KEYS } from "./audit-keys";

/** An operator's desk on this database; `requestKey` is their Idempotency-Key. */
export function aDesk(
  db: Db,
  given: { actor?: string; requestKey?: string; asks?: string; kind?: CallerKind } = {},
): Desk {
  const { actor = "operator", kind = "person", requestKey, asks = "" } = given;
  return {
    db,
    notifier: new Notifier(db),
    by: { ...systemCaller(actor), kind },
    auditKeys: TEST_AUDIT_KEYS,
    request:
      requestKey === undefined
        ? null
        : { key: requestKey, scope: actor, fingerprint: createHash("sha256").update(asks).digest("hex") },
  };
}
