// Separate from the signing code, because browsers load it.

/** `gathering`: held, to collect more events. `failed`: retries exhausted. */
export const DELIVERY_STATUSES = ["gathering", "sending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
