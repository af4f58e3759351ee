"use client";

import Link from "next/link";
import { useState } from "react";
import type { OwedCompensation } from "@/lib/api/contract/responses";
import { shortenMiddle } from "@/lib/format";
import { PermittedButton } from "../access/permitted-button";
import { OpenActDialogById } from "../acts/act-dialogs";
import type { OpenAct } from "../acts/open-act";
import { ErrorView } from "../run/error-view";
import { StatusLabel } from "../status/status-label";
import { lookOfCompensation } from "../status/step-looks";
import { Instant } from "../time/instant";
import { Copyable } from "../ui/copyable";
import { Disclosure } from "../ui/disclosure";
import { Fact, Facts } from "../ui/facts";
import { JsonView } from "../values/json-view";

/** One undo: what was done, what is to be done about it, and the buttons that say it was. */
export function CompensationItem({ item }: { item: OwedCompensation }) {
  const { compensation, step } = item;
  const forPerson =
    compensation.status === "failed" || (compensation.status === "owed" && compensation.mode === "manual");
  return (
    <li className="grid gap-x-6 gap-y-3 border-line border-t px-4 py-4 first:border-t-0 first:pt-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <ItemHead item={item} />
        {compensation.instructions && (
          <p className="mt-2 max-w-prose whitespace-pre-wrap break-words">{compensation.instructions}</p>
        )}
        {compensation.error && (
          <div className="mt-2">
            <ErrorView error={compensation.error} tone={compensation.status === "failed" ? "red" : "amber"} />
          </div>
        )}
        {forPerson && (
          <ItemActs runId={item.runId} workflow={item.workflow} step={step} failed={compensation.status === "failed"} />
        )}
      </div>
      <ItemFacts item={item} />
    </li>
  );
}

function ItemHead({ item }: { item: OwedCompensation }) {
  const { compensation, tags } = item;
  const key = Object.values(tags)[0] ?? shortenMiddle(item.runId);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5">
        <StatusLabel look={lookOfCompensation(compensation)} />
        {compensation.owedAt && (
          <span className="text-ink-3">
            owed <Instant at={compensation.owedAt} as="relative" />
          </span>
        )}
      </p>
      <h3 className="mt-0.5 break-words font-semibold text-title">
        Undo <span className="font-mono text-[13.5px]">{item.step}</span> of{" "}
        <Link
          href={`/runs/${item.runId}?step=${encodeURIComponent(item.step)}`}
          className="rounded font-mono text-[13.5px] text-accent hover:underline"
        >
          {key}
        </Link>
      </h3>
    </>
  );
}

function ItemFacts({ item }: { item: OwedCompensation }) {
  return (
    <div className="min-w-0">
      <Facts>
        <Fact name="Workflow">{item.workflow}</Fact>
        <Fact name="It did">
          {item.stepReference ? (
            <Copyable text={item.stepReference} what="the reference" />
          ) : (
            <span className="text-ink-3">no reference recorded</span>
          )}
        </Fact>
        <Fact name="Under key">
          <Copyable text={item.idempotencyKey} what="the idempotency key" />
        </Fact>
        {item.compensation.nextAttemptAt && (
          <Fact name="Next try">
            <Instant at={item.compensation.nextAttemptAt} as="relative" />
          </Fact>
        )}
      </Facts>
      <Disclosure summary="Output of the step" className="mt-2">
        <JsonView value={item.stepOutput} what={`the output of ${item.step}`} className="mt-1" />
      </Disclosure>
    </div>
  );
}

interface ItemActsProps {
  runId: string;
  workflow: string;
  step: string;
  failed: boolean;
}

function ItemActs({ runId, workflow, step, failed }: ItemActsProps) {
  const [open, setOpen] = useState<OpenAct | null>(null);
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <PermittedButton
        action="run.mark_compensated"
        workflow={workflow}
        variant="primary"
        onClick={() => setOpen({ act: "mark_compensated", step, markAs: "compensated" })}
      >
        Mark compensated…
      </PermittedButton>
      <PermittedButton
        action="run.mark_compensated"
        workflow={workflow}
        onClick={() => setOpen({ act: "mark_compensated", step, markAs: "waived" })}
      >
        Waive…
      </PermittedButton>
      {failed && (
        <PermittedButton action="run.compensate" workflow={workflow} onClick={() => setOpen({ act: "compensate" })}>
          Try again…
        </PermittedButton>
      )}
      {open && <OpenActDialogById runId={runId} open={open} onClose={() => setOpen(null)} />}
    </div>
  );
}
