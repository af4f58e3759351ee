import { useState } from "react";
import { workflowsOf } from "@/components/domain/access/workflows-field";
import type { AlertPreviewQuery, AlertRuleRequest, AlertRuleView } from "@/lib/api/contract/alerts";
import { type AlertKind, KIND_RULES, type Severity } from "@/lib/engine/alerts/alert-rule";
import { muteWindowsText, parseMuteWindows } from "@/lib/engine/alerts/mute-window";

const MINUTE_MS = 60_000;

/** What is typed: numbers in the unit that people think in, percent, minutes or workers. */
export interface AlertFields {
  name: string;
  kind: AlertKind;
  workflows: string;
  together: boolean;
  threshold: string;
  resolveThreshold: string;
  windowMs: string;
  minCount: string;
  forMinutes: string;
  resolveForMinutes: string;
  quietMinutes: string;
  severity: Severity;
  runbook: string;
  muteWindows: string;
  enabled: boolean;
}

export const NEW_RULE: AlertFields = {
  ...{ name: "", kind: "failure_ratio", workflows: "", together: false, threshold: "20", resolveThreshold: "" },
  ...{ windowMs: "900000", minCount: "10", forMinutes: "1", resolveForMinutes: "1", quietMinutes: "15" },
  ...{ severity: "critical", runbook: "", muteWindows: "", enabled: true },
};

/** A threshold of the kind to begin with. */
export const FIRST_THRESHOLD: Record<AlertKind, string> = {
  failure_ratio: "20",
  duration_p95: "10",
  backlog_age: "5",
  live_workers: "1",
  unknown_outcome_age: "5",
  compensation_age: "60",
  schedule_late: "1",
  blob_store_age: "2",
};

/** How many of a kind's unit are one of what is typed. */
const SCALES = { share: 0.01, ms: MINUTE_MS, workers: 1 } as const;
export const UNIT_WORDS = { share: "percent", ms: "minutes", workers: "workers" } as const;

const scaleOf = (kind: AlertKind): number => SCALES[KIND_RULES[kind].unit];
/** Without the noise of binary fractions: 0.2 of 1 is 20 %. */
const typed = (value: number, scale: number): string => String(Number((value / scale).toPrecision(12)));

export const fieldsOf = (rule: AlertRuleView): AlertFields => ({
  name: rule.name,
  kind: rule.kind,
  workflows: rule.workflows?.join(", ") ?? "",
  together: rule.together,
  threshold: typed(rule.threshold, scaleOf(rule.kind)),
  resolveThreshold: rule.resolveThreshold === rule.threshold ? "" : typed(rule.resolveThreshold, scaleOf(rule.kind)),
  windowMs: String(rule.windowMs ?? NEW_RULE.windowMs),
  minCount: String(rule.minCount ?? NEW_RULE.minCount),
  forMinutes: typed(rule.forMs, MINUTE_MS),
  resolveForMinutes: typed(rule.resolveForMs, MINUTE_MS),
  quietMinutes: typed(rule.quietMs, MINUTE_MS),
  severity: rule.severity,
  runbook: rule.runbook ?? "",
  muteWindows: muteWindowsText(rule.muteWindows),
  enabled: rule.enabled,
});

const numberOf = (text: string): number | null => {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
};

const ENTER_NUMBER = "Enter a number.";
export type FieldErrors = Partial<Record<keyof AlertFields, string>>;

/** Ranges are the server's to check: it names them. */
function errorsOf(fields: AlertFields): FieldErrors {
  const { windowed } = KIND_RULES[fields.kind];
  const numbers = ["threshold", "forMinutes", "resolveForMinutes", "quietMinutes"] as const;
  const missing = [...numbers, ...(windowed ? (["minCount"] as const) : [])].filter(
    (name) => numberOf(fields[name]) === null,
  );
  const windows = parseMuteWindows(fields.muteWindows);
  return {
    ...Object.fromEntries(missing.map((name) => [name, ENTER_NUMBER])),
    ...(fields.name.trim() === "" && { name: "Enter a name." }),
    ...(fields.resolveThreshold.trim() !== "" &&
      numberOf(fields.resolveThreshold) === null && { resolveThreshold: ENTER_NUMBER }),
    ...(typeof windows === "string" && { muteWindows: windows }),
  };
}

export function useAlertForm(first: AlertFields) {
  const [fields, setFields] = useState(first);
  const [tried, setTried] = useState(false);
  const errors = errorsOf(fields);
  return {
    fields,
    errors: tried ? errors : {},
    set: (changed: Partial<AlertFields>) => setFields((before) => ({ ...before, ...changed })),
    check: () => {
      setTried(true);
      return Object.keys(errors).length === 0;
    },
    /** Null while the numbers cannot be read. */
    preview: Object.keys(errors).some((name) => name !== "name" && name !== "muteWindows") ? null : previewOf(fields),
  };
}

/** Of fields that were checked. */
export function requestOf(fields: AlertFields): Omit<AlertRuleRequest, "reason"> {
  const { kind, name, together, severity, runbook, enabled } = fields;
  const { windowed } = KIND_RULES[kind];
  const scaled = (text: string) => Number(((numberOf(text) ?? 0) * scaleOf(kind)).toPrecision(12));
  const ms = (text: string) => Math.round((numberOf(text) ?? 0) * MINUTE_MS);
  const windows = parseMuteWindows(fields.muteWindows);
  const workflows = workflowsOf(fields.workflows);
  const threshold = scaled(fields.threshold);
  return {
    ...{ name: name.trim(), kind, workflows, severity, enabled, threshold },
    together: together && windowed && workflows === null,
    resolveThreshold: fields.resolveThreshold.trim() === "" ? threshold : scaled(fields.resolveThreshold),
    windowMs: windowed ? Number(fields.windowMs) : null,
    minCount: windowed ? Math.round(numberOf(fields.minCount) ?? 0) : null,
    forMs: ms(fields.forMinutes),
    resolveForMs: ms(fields.resolveForMinutes),
    quietMs: ms(fields.quietMinutes),
    runbook: runbook.trim() === "" ? null : runbook.trim(),
    muteWindows: typeof windows === "string" ? [] : windows.map((window) => ({ ...window, days: [...window.days] })),
  };
}

function previewOf(fields: AlertFields): AlertPreviewQuery {
  const { kind, threshold, resolveThreshold, windowMs, minCount, forMs, resolveForMs, workflows, together } =
    requestOf(fields);
  return {
    ...{ kind, threshold, resolveThreshold, forMs, resolveForMs },
    ...(windowMs !== null && minCount !== null && { windowMs, minCount }),
    ...(workflows && { workflow: workflows }),
    ...(together && { together: "true" as const }),
  };
}
