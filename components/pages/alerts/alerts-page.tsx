"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import type { AlertRuleView } from "@/lib/api/contract/alerts";
import { useMe, useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useAlertRules } from "@/lib/api/hooks/alert-hooks";
import { conditionWords, readingWords } from "@/lib/engine/alerts/alert-words";
import { AddAlertDialog } from "./alert-dialog";
import { AlertSheet } from "./alert-sheet";
import { MutedWords } from "./muted-words";
import { ruleLook } from "./rule-looks";

/** The rules by which Handrail itself says that something is wrong. The open one is in the URL. */
export function AlertsPage() {
  const { data: me } = useMe();
  const whyNot = useWhyNot("alert.read");
  return (
    <>
      <TopBar title="Alerts" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {me && (whyNot === null ? <Rules /> : <EmptyState title="Alerts">{whyNot}</EmptyState>)}
        </div>
      </div>
    </>
  );
}

function Rules() {
  const { data, error, refetch } = useAlertRules();
  const [openId, setOpenId] = useQueryState("rule", parseAsString);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <Card
        title="Alert rules"
        note={data?.rules.length}
        action={
          <PermittedButton action="alert.manage" size="small" onClick={() => setAdding(true)}>
            Add a rule…
          </PermittedButton>
        }
      >
        {!data && error && <QueryFailure what="the alert rules" error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <Loading what="the alert rules" className="p-4">
            <Skeleton className="h-8 w-full" />
          </Loading>
        )}
        {data?.rules.length === 0 && (
          <EmptyState title="No alert rules" className="py-10">
            A rule with a threshold notifies people before they look: of failures, a backlog, missing workers and more.
          </EmptyState>
        )}
        <ul>
          {data?.rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} onOpen={() => void setOpenId(rule.id)} />
          ))}
        </ul>
      </Card>
      {adding && <AddAlertDialog onClose={() => setAdding(false)} />}
      {openId !== null && <AlertSheet id={openId} onClose={() => void setOpenId(null)} />}
    </>
  );
}

function RuleRow({ rule, onOpen }: { rule: AlertRuleView; onOpen: () => void }) {
  const { name, workflows, together, state } = rule;
  const where = together ? "all workflows together" : workflowWords(workflows);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{name}</p>
        <p className="break-words text-ink-3 text-small">
          Fires when {conditionWords(rule)}; {where}
        </p>
        {state !== "ok" && <p className="break-words text-ink-2 text-small">Now: {readingWords(rule)}</p>}
        <MutedWords rule={rule} />
      </div>
      <StatusLabel look={ruleLook(rule)} />
      <Button size="small" aria-label={`Open ${name}`} onClick={onOpen}>
        Open
      </Button>
    </li>
  );
}
