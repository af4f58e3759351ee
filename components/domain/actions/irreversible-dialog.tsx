"use client";

import { usePathname, useRouter } from "next/navigation";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import type { Run } from "@/lib/api/contract/run";

interface IrreversibleDialogProps {
  act: "delete" | "erase";
  run: Run;
  onClose: () => void;
}

/** Deletes the run, whose page is left then, or erases its data. */
export function IrreversibleDialog({ act, run: { id }, onClose }: IrreversibleDialogProps) {
  const router = useRouter();
  const leaves = usePathname().startsWith(`/runs/${id}`) && act === "delete";
  return (
    <PlanDialog
      act={act}
      selection={{ runIds: [id] }}
      open
      onOpenChange={(open) => !open && onClose()}
      onDone={() => leaves && router.push("/runs")}
    />
  );
}
