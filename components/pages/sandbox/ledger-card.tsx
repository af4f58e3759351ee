"use client";

import { CircleCheck, Receipt } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { Charge, Ledger } from "@/components/domain/sandbox/sandbox-answers";
import { useLedger } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { plural, shortenMiddle } from "@/lib/format";
import { formatMoney } from "@/lib/format/numbers";

const SHOWN = 12;

/** The gateway's own ledger: it shows whether a card was charged twice, whatever the console says. */
export function LedgerCard() {
  const { data, error, refetch } = useLedger();
  return (
    <Card title="The gateway’s ledger" note="kept by the gateway's process">
      {!data && error && <QueryFailure what="the ledger" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="mx-4 mb-4 h-40" />}
      {data && data.charges.length === 0 && (
        <EmptyState icon={<Receipt aria-hidden />} title="No charges yet" className="py-10">
          Start an order to see its charge here.
        </EmptyState>
      )}
      {data && data.charges.length > 0 && <Books ledger={data} />}
    </Card>
  );
}

function Books({ ledger }: { ledger: Ledger }) {
  const [all, setAll] = useState(false);
  const charges = byInterest(ledger.charges);
  const refunds = new Map(ledger.refunds.map((refund) => [refund.chargeId, refund.id]));
  return (
    <div className="pb-3">
      <Verdict ledger={ledger} />
      <ul className="@container px-4">
        {charges.slice(0, all ? undefined : SHOWN).map((charge) => (
          <ChargeRow key={charge.id} charge={charge} refunded={refunds.has(charge.id)} />
        ))}
      </ul>
      {!all && charges.length > SHOWN && (
        <Button variant="ghost" className="mx-2 mt-1" onClick={() => setAll(true)}>
          All {charges.length}
        </Button>
      )}
    </div>
  );
}

function Verdict({ ledger }: { ledger: Ledger }) {
  const { charges, orders, requested, chargedTwice } = ledgerFacts(ledger);
  if (chargedTwice.length > 0)
    return (
      <Callout tone="red" className="mx-4 mb-2" title={`${plural(chargedTwice.length, "order")} charged twice`}>
        {chargedTwice.join(", ")}
      </Callout>
    );
  return (
    <p className="mx-4 mb-2 flex items-start gap-2 rounded-lg bg-green-soft px-3 py-2.5">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
      <span>
        <b className="font-semibold">No card was charged twice.</b>{" "}
        <span className="text-ink-2">
          Requested {plural(requested, "time")}, charged {plural(charges, "time")}, for {plural(orders, "order")}.
        </span>
      </span>
    </p>
  );
}

function ChargeRow({ charge, refunded }: { charge: Charge; refunded: boolean }) {
  const again = charge.requests > 1;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-line border-t py-2 first:border-t-0 @[680px]:grid-cols-[120px_minmax(0,1fr)_84px_190px_96px] @[680px]:py-1.5">
      <Link
        href={`/runs?q=${encodeURIComponent(charge.orderId)}`}
        className="truncate rounded font-mono text-small hover:underline"
      >
        {charge.orderId}
      </Link>
      <span
        title={charge.id}
        className="truncate font-mono text-ink-3 text-small @max-[680px]:order-last @max-[680px]:col-span-2"
      >
        {shortenMiddle(charge.id, 11, 4)}
        {refunded && <span className="font-sans text-ink-2"> · refunded</span>}
      </span>
      <span className="text-right">{formatMoney(charge.amountCents, charge.currency)}</span>
      <span className={again ? "font-medium text-ink @max-[680px]:order-last" : "text-ink-3 @max-[680px]:order-last"}>
        requested {again ? plural(charge.requests, "time") : "once"}, charged once
      </span>
      <Instant at={charge.createdAt} className="text-right text-ink-3 @max-[680px]:order-last" />
    </li>
  );
}

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
const byInterest = (charges: Charge[]): Charge[] =>
  [...charges].sort(
    (a, b) => Math.min(b.requests, 2) - Math.min(a.requests, 2) || b.createdAt.localeCompare(a.createdAt),
  );
