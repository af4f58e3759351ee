"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { ActError } from "@/components/parts/submit/act-error";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Instant } from "@/components/parts/time/instant";
import { InstantField } from "@/components/parts/time/instant-field";
import { tell } from "@/components/parts/toasts/tell";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { TextField } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { Sheet } from "@/components/ui/overlay/sheet";
import type { AlertRuleView } from "@/lib/api/contract/alerts";
import {
  useAcknowledgeAlert,
  useAlertRule,
  useMuteAlertRule,
  useRemoveAlertRule,
  useTestAlertRule,
} from "@/lib/api/hooks/alert-hooks";
import { conditionWords, readingWords, spanWords } from "@/lib/engine/alerts/alert-words";
import { muteWindowsText } from "@/lib/engine/alerts/mute-window";
import { ChangeAlertDialog } from "./alert-dialog";
import { MutedWords } from "./muted-words";
import { FIRST_STEPS, ruleLook, unacknowledged } from "./rule-looks";

/** One rule: what it is now, what to do, and each time that it fired. */
export function AlertSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useAlertRule(id);
  return (
    <Sheet open onClose={onClose} title={data?.name ?? "Alert rule"}>
      {!data && error && <QueryFailure what="the alert rule" error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Loading what="the alert rule" className="p-4">
          <Skeleton className="h-24 w-full" />
        </Loading>
      )}
      {data && <Opened rule={data} onClose={onClose} />}
    </Sheet>
  );
}

function Opened({ rule, onClose }: { rule: AlertRuleView; onClose: () => void }) {
  const [dialog, setDialog] = useState<"change" | "mute" | "remove" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <div className="grid gap-4 p-4">
        <div className="grid gap-1">
          <StatusLabel look={ruleLook(rule)} />
          {rule.state !== "ok" && <p className="break-words">Now: {readingWords(rule)}</p>}
          <MutedWords rule={rule} />
        </div>
        <Acts rule={rule} onAct={setDialog} />
        {rule.state !== "ok" && <WhatToDo rule={rule} />}
        <About rule={rule} />
      </div>
      <History rule={rule} />
      {dialog === "change" && <ChangeAlertDialog rule={rule} onClose={close} />}
      {dialog === "mute" && <Mute rule={rule} onClose={close} />}
      {dialog === "remove" && <Remove rule={rule} onGone={onClose} onClose={close} />}
    </>
  );
}

function Acts({ rule, onAct }: { rule: AlertRuleView; onAct: (act: "change" | "mute" | "remove") => void }) {
  const { id, name, source, retired, mutedUntil } = rule;
  const open = unacknowledged(rule);
  const acknowledge = useAct(useAcknowledgeAlert(), () => tell(`You acknowledged ${name}`));
  const unmute = useAct(useMuteAlertRule(), () => tell(`${name} is no longer muted`));
  const test = useAct(useTestAlertRule(), ({ destinations }) =>
    tell(`Test queued for ${destinations === 1 ? "1 destination" : `${destinations} destinations`}`),
  );
  const error = acknowledge.error ?? unmute.error ?? test.error;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {open && (
          <PermittedButton
            action="alert.acknowledge"
            variant="primary"
            disabled={acknowledge.pending}
            onClick={() => acknowledge.submit({ id, request: { alertId: open.id } })}
          >
            Acknowledge
          </PermittedButton>
        )}
        {mutedUntil === null ? (
          <PermittedButton action="alert.mute" onClick={() => onAct("mute")}>
            Mute…
          </PermittedButton>
        ) : (
          <PermittedButton
            action="alert.mute"
            disabled={unmute.pending}
            onClick={() => unmute.submit({ id, request: { until: null, reason: "No longer muted." } })}
          >
            Unmute
          </PermittedButton>
        )}
        <PermittedButton action="alert.manage" disabled={test.pending} onClick={() => test.submit({ id, request: {} })}>
          Send a test
        </PermittedButton>
        {source !== "code" && (
          <PermittedButton action="alert.manage" onClick={() => onAct("change")}>
            Change…
          </PermittedButton>
        )}
        {(source !== "code" || retired) && (
          <PermittedButton action="alert.manage" onClick={() => onAct("remove")}>
            Remove…
          </PermittedButton>
        )}
      </div>
      {error && <ActError error={error} />}
    </div>
  );
}

function WhatToDo({ rule: { kind, runbook } }: { rule: AlertRuleView }) {
  return (
    <section aria-labelledby="what-to-do" className="grid gap-1.5">
      <h3 id="what-to-do" className="font-medium">
        What to do
      </h3>
      <ol className="grid list-decimal gap-1 pl-5 text-ink-2">
        {FIRST_STEPS[kind].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {runbook !== null && (
        <a href={runbook} rel="noreferrer" className="w-fit break-all text-accent hover:underline">
          Runbook
        </a>
      )}
    </section>
  );
}

const SOURCES = { code: "Defined in code: it is changed there", default: "Made with Handrail", console: "Made here" };

function About({ rule }: { rule: AlertRuleView }) {
  const { workflows, together, resolveForMs, quietMs, severity, runbook, muteWindows, source } = rule;
  return (
    <Facts>
      <Fact name="Fires when">{conditionWords(rule)}</Fact>
      <Fact name="Workflows">{together ? "all workflows together" : workflowWords(workflows)}</Fact>
      <Fact name="Resolves">
        {resolveForMs === 0 ? "at once" : `after ${spanWords(resolveForMs)} without a breach`}
      </Fact>
      <Fact name="Quiet">{quietMs === 0 ? "none" : `${spanWords(quietMs)} after a message`}</Fact>
      <Fact name="Severity">{severity}</Fact>
      {muteWindows.length > 0 && (
        <Fact name="Muted weekly">
          <span className="whitespace-pre-line">{muteWindowsText(muteWindows)}</span>
        </Fact>
      )}
      {runbook !== null && (
        <Fact name="Runbook">
          <span className="break-all font-mono text-small">{runbook}</span>
        </Fact>
      )}
      <Fact name="Source">{SOURCES[source]}</Fact>
    </Facts>
  );
}

function History({ rule }: { rule: AlertRuleView }) {
  const { alerts } = rule;
  return (
    <section aria-labelledby="alert-history" className="border-line border-t px-4 py-3">
      <h3 id="alert-history" className="font-medium">
        Fired
      </h3>
      {alerts.length === 0 && <p className="pt-1 text-ink-3">Never yet.</p>}
      <ul>
        {alerts.map((alert) => (
          <li key={alert.id} className="border-line border-t py-2 first:border-t-0">
            <p className="break-words">
              <Instant at={alert.openedAt} />: {readingWords({ ...rule, ...alert })}
            </p>
            <p className="break-words text-ink-3 text-small">
              {alert.resolvedAt === null ? "Not over" : `Over after ${spanWords(lasted(alert))}`}
              {alert.acknowledgedBy !== null && `; acknowledged by ${alert.acknowledgedBy}`}
              {alert.noticedAt === null && "; no message was sent"}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lasted = ({ openedAt, resolvedAt }: { openedAt: string; resolvedAt: string | null }) =>
  Date.parse(resolvedAt ?? openedAt) - Date.parse(openedAt);

interface Of {
  rule: AlertRuleView;
  onClose: () => void;
}

const HOUR_MS = 3_600_000;

function Mute({ rule: { id, name }, onClose }: Of) {
  const [until, setUntil] = useState<Date | null>(() => new Date(Date.now() + HOUR_MS));
  const reason = useReason(SAY_WHY);
  const act = useAct(useMuteAlertRule(), () => {
    tell(`${name} is muted`);
    onClose();
  });
  return (
    <ActDialog
      title={`Mute ${name}`}
      description="Nothing is sent until then. The rule still shows its state, and is sent afterwards if it still fires."
      submit="Mute rule"
      blocked={until === null}
      pending={act.pending}
      error={act.error}
      onSubmit={() =>
        reason.check() && until && act.submit({ id, request: { until: until.toISOString(), reason: reason.text } })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <InstantField label="Until" value={until} onChange={setUntil} />
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}

function Remove({ rule: { id, name, revision }, onGone, onClose }: Of & { onGone: () => void }) {
  const reason = useReason(SAY_WHY);
  const act = useAct(useRemoveAlertRule(), () => {
    tell(`${name} is removed`);
    onGone();
  });
  return (
    <ActDialog
      title={`Remove ${name}`}
      description="Also deletes its history. An alert of it that is open resolves in Slack, PagerDuty, Opsgenie and Teams."
      submit="Remove rule"
      tone="danger"
      pending={act.pending}
      error={act.error}
      onSubmit={() => reason.check() && act.submit({ id, request: { revision, reason: reason.text } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
