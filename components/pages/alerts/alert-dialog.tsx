"use client";

import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Checkbox } from "@/components/ui/form/checkbox";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { AlertPreviewQuery, AlertRuleView } from "@/lib/api/contract/alerts";
import { useAddAlertRule, useAlertPreview, useChangeAlertRule } from "@/lib/api/hooks/alert-hooks";
import { ALERT_WINDOWS_MS, type AlertKind, KIND_RULES, type Severity } from "@/lib/engine/alerts/alert-rule";
import { readingWords, spanWords } from "@/lib/engine/alerts/alert-words";
import {
  type AlertFields,
  FIRST_THRESHOLD,
  fieldsOf,
  NEW_RULE,
  requestOf,
  UNIT_WORDS,
  useAlertForm,
} from "./alert-form";
import { KINDS } from "./rule-looks";

export function AddAlertDialog({ onClose }: { onClose: () => void }) {
  const form = useAlertForm(NEW_RULE);
  const reason = useReason(SAY_WHY);
  const act = useAct(useAddAlertRule(), ({ name }) => {
    tell(`${name} is judged from now on`);
    onClose();
  });
  return (
    <ActDialog
      title="Add an alert rule"
      description="Judged every ten seconds. Destinations that receive alerts are notified when it fires and when it is over."
      submit="Add rule"
      wide
      pending={act.pending}
      error={act.error}
      onSubmit={() => {
        const ready = [form.check(), reason.check()].every(Boolean);
        if (ready) act.submit({ request: { ...requestOf(form.fields), reason: reason.text } });
      }}
      onClose={onClose}
    >
      <Fields form={form} />
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}

export function ChangeAlertDialog({ rule, onClose }: { rule: AlertRuleView; onClose: () => void }) {
  const { id, name, revision } = rule;
  const form = useAlertForm(fieldsOf(rule));
  const reason = useReason(SAY_WHY);
  const act = useAct(useChangeAlertRule(), () => {
    tell(`${name} is updated`);
    onClose();
  });
  return (
    <ActDialog
      title={`Change ${name}`}
      description="Applies from the next judgement on."
      submit="Save changes"
      wide
      pending={act.pending}
      error={act.error}
      onSubmit={() => {
        const ready = [form.check(), reason.check()].every(Boolean);
        if (ready) act.submit({ id, request: { ...requestOf(form.fields), revision, reason: reason.text } });
      }}
      onClose={onClose}
    >
      <DialogSection>
        <Checkbox
          checked={form.fields.enabled}
          onChange={(enabled) => form.set({ enabled })}
          label="Switched on"
          hint="While off, it is not judged, and an open alert is over."
        />
      </DialogSection>
      <Fields form={form} isKept />
      <DialogSection>
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}

type Form = ReturnType<typeof useAlertForm>;
type TextName = Exclude<keyof AlertFields, "kind" | "together" | "severity" | "enabled">;

/** A text of the form, with its error. */
const textOf = ({ fields, errors, set }: Form, name: TextName) => ({
  value: fields[name],
  onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  error: errors[name],
});

const NUMBER = { inputMode: "decimal" } as const;

function Fields({ form, isKept = false }: { form: Form; isKept?: boolean }) {
  const { fields, set } = form;
  const { windowed, below, unit } = KIND_RULES[fields.kind];
  const words = UNIT_WORDS[unit];
  return (
    <>
      <DialogSection className="grid gap-3 md:grid-cols-2">
        <TextField {...textOf(form, "name")} label="Name" mono placeholder="orders-failing" maxLength={100} />
        <NativeSelect
          label="Watches"
          value={fields.kind}
          disabled={isKept}
          onChange={({ target }) => {
            const kind = target.value as AlertKind;
            set({ kind, threshold: FIRST_THRESHOLD[kind], resolveThreshold: "" });
          }}
          options={KINDS.map(({ kind, name }) => ({ value: kind, text: name }))}
        />
        <TextField {...textOf(form, "threshold")} {...NUMBER} label={`Fires ${below ? "below" : "above"} (${words})`} />
        <TextField
          {...textOf(form, "resolveThreshold")}
          {...NUMBER}
          label={`Resolves at (${words}, optional)`}
          hint="In between, it stays what it is."
        />
        {windowed && <WindowFields form={form} />}
        <TextField {...textOf(form, "forMinutes")} {...NUMBER} label="Fires after (minutes)" />
        <TextField {...textOf(form, "resolveForMinutes")} {...NUMBER} label="Resolves after (minutes)" />
      </DialogSection>
      <DialogSection>
        <TextField
          {...textOf(form, "workflows")}
          label="Only these workflows"
          mono
          hint="Names with commas between them; empty for every one."
        />
        {windowed && fields.workflows.trim() === "" && (
          <div className="pt-3">
            <Checkbox
              checked={fields.together}
              onChange={(together) => set({ together })}
              label="Count all workflows together"
              hint="Otherwise each is judged by itself, and the worst one counts."
            />
          </div>
        )}
      </DialogSection>
      <Preview numbers={form.preview} />
      <MessageFields form={form} />
    </>
  );
}

function WindowFields({ form }: { form: Form }) {
  return (
    <>
      <NativeSelect
        label="Within the last"
        value={form.fields.windowMs}
        onChange={({ target }) => form.set({ windowMs: target.value })}
        options={ALERT_WINDOWS_MS.map((ms) => ({ value: String(ms), text: spanWords(ms) }))}
      />
      <TextField {...textOf(form, "minCount")} inputMode="numeric" label="Runs that must have ended, at least" />
    </>
  );
}

function MessageFields({ form }: { form: Form }) {
  return (
    <DialogSection className="grid gap-3 md:grid-cols-2">
      <NativeSelect
        label="Severity"
        value={form.fields.severity}
        onChange={({ target }) => form.set({ severity: target.value as Severity })}
        options={[
          { value: "critical", text: "Critical: pages with high urgency" },
          { value: "warning", text: "Warning" },
        ]}
      />
      <TextField
        {...textOf(form, "quietMinutes")}
        {...NUMBER}
        label="Quiet after a message (minutes)"
        hint="However often it fires."
      />
      <TextField
        {...textOf(form, "runbook")}
        label="Runbook (optional)"
        type="url"
        mono
        placeholder="https://wiki.example.com/orders"
        className="md:col-span-2"
      />
      <TextArea
        {...textOf(form, "muteWindows")}
        label="Muted every week (optional)"
        mono
        placeholder="sat-sun 00:00-08:00 Europe/Berlin"
        hint="One line each: days, hours and a time zone."
        className="md:col-span-2"
      />
    </DialogSection>
  );
}

const SETTLED_MS = 400;

/** What the rule would see now, and in the past that is counted. */
function Preview({ numbers }: { numbers: AlertPreviewQuery | null }) {
  const settled = useDebounced(JSON.stringify(numbers), SETTLED_MS);
  const asked = JSON.parse(settled) as AlertPreviewQuery | null;
  const { data, error } = useAlertPreview(asked);
  if (error) return <PreviewText>{error.message}</PreviewText>;
  if (!asked || !data) return <PreviewText>Enter the numbers for a preview.</PreviewText>;
  const { kind, threshold, windowMs = null } = asked;
  const { value, subject, history } = data;
  return (
    <PreviewText>
      Now:{" "}
      {readingWords({
        kind,
        threshold: Number(threshold),
        windowMs: windowMs === null ? null : Number(windowMs),
        value,
        subject,
      })}
      .{history !== null && ` ${historyWords(history)}`}
    </PreviewText>
  );
}

function historyWords({ firings, fromMs }: { firings: number; fromMs: number }): string {
  if (fromMs === 0) return "Nothing is counted of the last days.";
  const times =
    firings === 0 ? "would not have fired" : `would have fired about ${firings === 1 ? "once" : `${firings} times`}`;
  return `With these numbers it ${times} in the last ${spanWords(fromMs)}.`;
}

const PreviewText = ({ children }: { children: React.ReactNode }) => (
  <DialogSection>
    <p aria-live="polite" className="break-words text-ink-2">
      {children}
    </p>
  </DialogSection>
);
