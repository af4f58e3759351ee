import type { Charge, Ledger } from "@/components/domain/sandbox/sandbox-answers";

interface LedgerFacts {
  charges: number;
  orders: number;
  /** Charge requests to the gateway, repetitions included. */
  requested: number;
  /** Orders with more than one charge: must be empty. */
  chargedTwice: string[];
}

/** What the gateway's own ledger proves. */
export function ledgerFacts({ charges }: Ledger): LedgerFacts {
  const perOrder = new Map<string, number>();
  for (const { orderId } of charges) perOrder.set(orderId, (perOrder.get(orderId) ?? 0) + 1);
  return {
    charges: charges.length,
    orders: perOrder.size,
    requested: charges.reduce((sum, { requests }) => sum + requests, 0),
    chargedTwice: [...perOrder].filter(([, count]) => count > 1).map(([orderId]) => orderId),
  };
}

/** Charges that were requested for more than once first: they are what the books are opened for. Then the newest. */
export const byInterest = (charges: Charge[]): Charge[] =>
  [...charges].sort(
    (a, b) => Math.min(b.requests, 2) - Math.min(a.requests, 2) || b.createdAt.localeCompare(a.createdAt),
  );
