"use client";

import { Eye, EyeOff } from "lucide-react";
import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { Run } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import type { Unmasked } from "./use-unmasked";

const UnmaskDialog = later(() => import("./unmask-dialog").then((dialog) => dialog.UnmaskDialog));

interface MaskedValuesProps {
  run: Run;
  unmasked: Unmasked | null;
  onShow: (run: Run) => void;
  onHide: () => void;
}

/** Says that something is masked, and offers to show it; also says when it is shown. */
export function MaskedValues({ run, unmasked, onShow, onHide }: MaskedValuesProps) {
  const { open, show, close } = useDialogUrl(["unmask"]);
  const whyNot = useWhyNot("payload.read", run.workflow);
  if (unmasked)
    return (
      <Strip tone="bg-amber-soft text-ink" label="Masked values are shown">
        <span>
          <b className="font-semibold text-amber">You see masked values</b>, as of <Instant at={unmasked.at} />. This
          access is logged.
        </span>
        <Button size="small" onClick={onHide}>
          <EyeOff aria-hidden className="size-3.5" />
          Hide
        </Button>
      </Strip>
    );
  return (
    <>
      <Strip tone="bg-sunken text-ink-2" label="Values are masked">
        <span>Some values of this run are masked.</span>
        <PermittedButton action="payload.read" workflow={run.workflow} size="small" onClick={() => show("unmask")}>
          <Eye aria-hidden className="size-3.5" />
          Show masked values…
        </PermittedButton>
      </Strip>
      {open && (
        <MayOpen because={whyNot} onClose={close}>
          <UnmaskDialog
            runId={run.id}
            onShow={(whole) => {
              close();
              onShow(whole);
            }}
            onClose={close}
          />
        </MayOpen>
      )}
    </>
  );
}

function Strip({ tone, label, children }: { tone: string; label: string; children: React.ReactNode }) {
  return (
    <section
      aria-label={label}
      className={`flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 py-1.5 text-small md:px-6 ${tone}`}
    >
      {children}
    </section>
  );
}
