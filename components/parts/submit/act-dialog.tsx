"use client";

import { type ReactNode, useId } from "react";
import { useCutOff } from "@/components/parts/live/use-health";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import type { ApiError } from "@/lib/api/client/client";
import { ActError } from "./act-error";

/** What an action is on, kept as it was when the dialog opened. */
export interface Frozen {
  /** How its sentence begins: "The run". */
  what: string;
  /** It has changed since. */
  changed: boolean;
  showFresh: () => void;
}

interface ActDialogProps {
  title: ReactNode;
  description: ReactNode;
  /** What the button does, with its object: "Rerun from charge-payment". */
  submit: string;
  tone?: "primary" | "danger";
  /** Why the action cannot be submitted yet, such as a word that must be typed. */
  blocked?: boolean;
  pending: boolean;
  error: ApiError | null;
  frozen?: Frozen;
  wide?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The frame of every action's dialog: preview, reason, error, one button. */
export function ActDialog(props: ActDialogProps) {
  const formId = useId();
  const { title, description, pending, error, frozen, onClose } = props;
  const cutOff = useCutOff();
  return (
    <Dialog
      open
      // Cannot be closed while the action is in progress: closing would hide its outcome.
      onOpenChange={(open) => !open && !pending && onClose()}
      title={title}
      description={description}
      wide={props.wide ?? false}
      footer={<Footer {...props} formId={formId} />}
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (pending || props.blocked) return;
          props.onSubmit();
          // React draws the errors first; then the focus moves to the first of them.
          const form = event.currentTarget;
          requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
        }}
      >
        {props.children}
        {(error || cutOff !== null || frozen?.changed) && (
          <DialogSection className="grid gap-2">
            {error && <ActError error={error} />}
            {!error && cutOff !== null && <CutOff trouble={cutOff} />}
            {frozen?.changed && <Changed {...frozen} />}
          </DialogSection>
        )}
      </form>
    </Dialog>
  );
}

const CutOff = ({ trouble }: { trouble: string }) => (
  <Callout tone="amber" role="status" title={`${trouble}.`}>
    <p className="text-ink-2">Nothing can be sent until then. What you entered stays here.</p>
  </Callout>
);

function Changed({ what, showFresh }: Frozen) {
  return (
    <Callout tone="amber" role="status" title={`${what} has changed since this opened.`}>
      <p className="text-ink-2">The preview below is out of date.</p>
      <Button size="small" className="mt-2" onClick={showFresh}>
        Show current state
      </Button>
    </Callout>
  );
}

function Footer({
  submit,
  tone = "primary",
  blocked = false,
  pending,
  onClose,
  formId,
}: ActDialogProps & { formId: string }) {
  return (
    <>
      <Button onClick={onClose} disabled={pending} className="max-md:flex-1">
        {submit.startsWith("Cancel") ? "Back" : "Cancel"}
      </Button>
      <Button type="submit" form={formId} variant={tone} disabled={pending || blocked} className="max-md:flex-1">
        {pending && <Spinner />}
        {submit}
      </Button>
    </>
  );
}
