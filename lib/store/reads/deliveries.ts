import type { DeliveryStatus } from "../../engine/notices/delivery-status";
import type { NoticeEvent } from "../../engine/notices/notice";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

export interface DeliveryRow {
  id: string;
  /** A delivery whose run was ended by an operator counts as failed. */
  status: DeliveryStatus;
  events: NoticeEvent[];
  event_count: number;
  created_at: RowInstant;
  run_id: string | null;
  attempts: number;
  next_attempt_at: RowInstant | null;
  finished_at: RowInstant | null;
  error: string | null;
  last_attempt: { beganAt: string; ms: number | null; code: number | null; error: string | null } | null;
  /** To the microsecond, for the cursor. */
  key_at: string;
}

export type DeliveryKey = [at: string, id: string];

const IS_CUT = `delivery.status = 'sending' and coalesce(run.status in ('completed', 'failed', 'cancelled', 'compensated'), true)`;

const columns = `delivery.id::text, case when ${IS_CUT} then 'failed' else delivery.status end as status, delivery.events,
      delivery.event_count, delivery.created_at, delivery.created_at::text as key_at, delivery.run_id::text, delivery.attempts,
      delivery.next_attempt_at, delivery.finished_at,
      case when ${IS_CUT} then 'Its run was ended.' else delivery.error end as error,
      (select jsonb_build_object('beganAt', attempt.began_at, 'ms', ms, 'code', code, 'error', attempt.error)
        from handrail.delivery_attempt as attempt where attempt.delivery_id = delivery.id order by number desc limit 1) as last_attempt`;

const listStatement: Statement = {
  name: "list-deliveries",
  text: `
    select ${columns} from handrail.delivery left join handrail.run on run.id = delivery.run_id
    where delivery.destination_id = $1::uuid
      and ($2::timestamptz is null or (delivery.created_at, delivery.id) < ($2::timestamptz, $3::uuid))
    order by delivery.created_at desc, delivery.id desc limit $4::int`,
};

/** Latest first. */
export function listDeliveries(
  db: Db,
  destinationId: string,
  page: { after: DeliveryKey | null; limit: number },
): Promise<DeliveryRow[]> {
  return db.query(listStatement, [destinationId, ...(page.after ?? [null, null]), page.limit]);
}

const oneStatement: Statement = {
  name: "select-delivery",
  text: `
    select ${columns} from handrail.delivery left join handrail.run on run.id = delivery.run_id
    where delivery.id = $1::uuid and delivery.destination_id = $2::uuid`,
};

export async function selectDelivery(db: Db, id: string, destinationId: string): Promise<DeliveryRow | undefined> {
  return (await db.query<DeliveryRow>(oneStatement, [id, destinationId]))[0];
}
