import { randomUUID } from "node:crypto";
import type { Journal, JournalFolder } from "./journal";
import { Refusal } from "./refusal";

interface ChargeOrder {
  orderId: string;
  amountCents: number;
  currency: string;
}

export interface Charge extends ChargeOrder {
  id: string;
  idempotencyKey: string;
  createdAt: string;
}

export interface Refund {
  id: string;
  chargeId: string;
  idempotencyKey: string;
  createdAt: string;
}

type Entry =
  | { type: "charge.created"; charge: Charge }
  | { type: "charge.asked-again"; idempotencyKey: string }
  | { type: "refund.created"; refund: Refund };

/** The amount and the order numbers that every card refuses, so that a demo can show an error that no retry fixes. */
const DECLINED_CENTS = 99_999_999;
const DECLINED_ORDER = /^DECLINED/;

/** What really happened. One key is one charge, one charge has at most one refund, and nothing is ever removed. */
export class Ledger {
  private constructor(
    private readonly book: Book,
    readonly journal: Journal<Entry>,
  ) {}

  static async open(journals: JournalFolder): Promise<Ledger> {
    const book = new Book();
    return new Ledger(book, await journals.open<Entry>("payments", (entry) => book.write(entry)));
  }

  /** Every request counts, a conflicting one too. Throws card_declined, and idempotency_conflict when the key was used for something else. */
  charge(idempotencyKey: string, order: ChargeOrder): { charge: Charge; created: boolean } {
    const known = this.book.charges.get(idempotencyKey);
    if (known) {
      this.journal.record({ type: "charge.asked-again", idempotencyKey });
      if (!sameOrder(known.charge, order)) throw conflict(idempotencyKey);
      return { charge: known.charge, created: false };
    }
    if (order.amountCents === DECLINED_CENTS || DECLINED_ORDER.test(order.orderId)) {
      throw new Refusal("card_declined", `the card was declined for order ${order.orderId}`);
    }
    const charge: Charge = { id: `ch_${randomUUID()}`, idempotencyKey, ...order, createdAt: new Date().toISOString() };
    this.journal.record({ type: "charge.created", charge });
    return { charge, created: true };
  }

  /** Throws not_found, already_refunded, and idempotency_conflict when the key was used for something else. */
  refund(idempotencyKey: string, chargeId: string): { refund: Refund; created: boolean } {
    const known = this.book.refunds.get(idempotencyKey);
    if (known) {
      if (known.chargeId !== chargeId) throw conflict(idempotencyKey);
      return { refund: known, created: false };
    }
    if (!this.book.chargeIds.has(chargeId)) throw new Refusal("not_found", `there is no charge ${chargeId}`);
    if (this.book.refundedIds.has(chargeId)) {
      throw new Refusal("already_refunded", `charge ${chargeId} was refunded under another key`);
    }
    const refund: Refund = { id: `re_${randomUUID()}`, chargeId, idempotencyKey, createdAt: new Date().toISOString() };
    this.journal.record({ type: "refund.created", refund });
    return { refund, created: true };
  }

  findCharge(idempotencyKey: string): Charge | undefined {
    return this.book.charges.get(idempotencyKey)?.charge;
  }

  findRefund(idempotencyKey: string): Refund | undefined {
    return this.book.refunds.get(idempotencyKey);
  }

  all() {
    return {
      charges: [...this.book.charges.values()].map(({ charge, requests }) => ({ ...charge, requests })),
      refunds: [...this.book.refunds.values()],
    };
  }
}

class Book {
  /** Both by idempotency key, oldest first. */
  readonly charges = new Map<string, { charge: Charge; requests: number }>();
  readonly refunds = new Map<string, Refund>();
  readonly chargeIds = new Set<string>();
  readonly refundedIds = new Set<string>();

  write(entry: Entry): void {
    switch (entry.type) {
      case "charge.created":
        this.charges.set(entry.charge.idempotencyKey, { charge: entry.charge, requests: 1 });
        this.chargeIds.add(entry.charge.id);
        return;
      case "charge.asked-again": {
        const known = this.charges.get(entry.idempotencyKey);
        if (known) known.requests += 1;
        return;
      }
      case "refund.created":
        this.refunds.set(entry.refund.idempotencyKey, entry.refund);
        this.refundedIds.add(entry.refund.chargeId);
    }
  }
}

function sameOrder(charge: Charge, order: ChargeOrder): boolean {
  return (
    charge.orderId === order.orderId && charge.amountCents === order.amountCents && charge.currency === order.currency
  );
}

function conflict(idempotencyKey: string): Refusal {
  return new Refusal("idempotency_conflict", `key ${idempotencyKey} was used for something else`);
}
