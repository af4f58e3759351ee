"use client";

import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import { TextField } from "@/components/ui/form/text-field";
import { Card } from "@/components/ui/layout/card";

/** Finds a person's runs by a tag, and erases their data by a plan. What is typed is kept nowhere. */
export function EraseSubject() {
  const [tag, setTag] = useState({ name: "", value: "" });
  const [open, setOpen] = useState(false);
  const isComplete = tag.name.trim() !== "" && tag.value.trim() !== "";
  return (
    <Card title="Erase a person's data" note="In every run that has ended and has this tag">
      <form
        className="grid gap-3 border-line border-t px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) setOpen(true);
        }}
      >
        <p className="text-ink-2">
          Inputs, outputs, errors, log lines and notes become a marker; tags are deleted. Steps, keys, times and the
          audit log stay. The preview says how many runs, and which have not ended and are left out.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Tag"
            mono
            placeholder="email"
            maxLength={64}
            value={tag.name}
            onChange={({ target }) => setTag({ ...tag, name: target.value })}
          />
          <TextField
            label="Value"
            mono
            placeholder="ada@example.com"
            maxLength={256}
            autoComplete="off"
            value={tag.value}
            onChange={({ target }) => setTag({ ...tag, value: target.value })}
          />
        </div>
        <PermittedButton action="run.erase" type="submit" className="justify-self-start" disabled={!isComplete}>
          Preview the erasure…
        </PermittedButton>
      </form>
      <PlanDialog
        act="erase"
        selection={{ filter: { tags: { [tag.name.trim()]: tag.value.trim() } } }}
        open={open}
        onOpenChange={setOpen}
      />
    </Card>
  );
}
