"use client";

import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { useCommands } from "@/components/parts/palette/commands";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { classNames } from "@/lib/class-names";
import { OperationDialog, type OperationDialogAct } from "./operation-dialogs";

const BUTTONS: Record<OperationDialogAct, string> = {
  rate: "Change the rate…",
  abort: "Abort…",
  resume: "Resume…",
  pause: "Pause…",
};

const OPERATION_ACTS = Object.keys(BUTTONS) as OperationDialogAct[];
const NOT_NOW = "The operation has changed: this action is no longer available.";

/** The actions that the operation's status allows. */
const actsOf = ({ status, finishedAt }: OperationAndRuns): OperationDialogAct[] =>
  finishedAt ? [] : ["rate", "abort", status === "paused" ? "resume" : "pause"];

/** The actions on the current operation, as buttons and in the palette, and the dialog of the chosen one. */
export function OperationActs({ operation, className }: { operation: OperationAndRuns; className?: string }) {
  const { open: act, show, close } = useDialogUrl(OPERATION_ACTS);
  const whyNot = useWhyNot("operation.control");
  const acts = actsOf(operation);
  useCommands(
    "This operation",
    acts.map((one) => ({ id: `act ${one}`, label: BUTTONS[one], closed: whyNot, run: () => show(one) })),
  );
  return (
    <div className={classNames("flex flex-wrap gap-2 empty:hidden", className)}>
      {acts.map((one) => (
        <PermittedButton
          key={one}
          action="operation.control"
          variant={one === "resume" ? "primary" : "secondary"}
          onClick={() => show(one)}
        >
          {BUTTONS[one]}
        </PermittedButton>
      ))}
      {act && (
        <MayOpen because={whyNot ?? (acts.includes(act) ? null : NOT_NOW)} onClose={close}>
          <OperationDialog act={act} operation={operation} onClose={close} />
        </MayOpen>
      )}
    </div>
  );
}
