"use client";

import { InstantField } from "@/components/parts/time/instant-field";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { StartRunRequest } from "@/lib/api/contract/requests";

export interface StartOptionsValue {
  key: string;
  runAt: Date | null;
  /** Of PRIORITIES; empty for the default. */
  priority: string;
}

/** As the request carries them: options that were not chosen are left out. */
export function startOptions({ key, runAt, priority }: StartOptionsValue): Partial<StartRunRequest> {
  const trimmed = key.trim();
  return {
    ...(trimmed && { idempotencyKey: trimmed }),
    ...(runAt && { runAt: runAt.toISOString() }),
    ...(priority && { priority: Number(priority) }),
  };
}

const PRIORITIES = [
  { value: "50", text: "High" },
  { value: "", text: "Normal" },
  { value: "-50", text: "Low" },
];

export function StartOptions({
  value,
  onChange,
}: {
  value: StartOptionsValue;
  onChange: (value: StartOptionsValue) => void;
}) {
  return (
    <>
      <TextField
        label="Idempotency key (optional)"
        mono
        value={value.key}
        onChange={(event) => onChange({ ...value, key: event.target.value })}
        placeholder="order-A-1042"
        maxLength={255}
      />
      <Disclosure summary="Start time and priority">
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <InstantField
            label="Start at (optional)"
            value={value.runAt}
            onChange={(runAt) => onChange({ ...value, runAt })}
          />
          <NativeSelect
            label="Priority"
            value={value.priority}
            onChange={(event) => onChange({ ...value, priority: event.target.value })}
            options={PRIORITIES}
          />
        </div>
      </Disclosure>
    </>
  );
}
