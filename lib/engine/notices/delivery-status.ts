// Apart from what signs, for browsers load it.

/** `gathering`: held, to take more in. `failed`: nobody tries any more. */
export const DELIVERY_STATUSES = ["gathering", "sending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
