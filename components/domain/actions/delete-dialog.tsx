"use client";

import { usePathname, useRouter } from "next/navigation";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import type { Run } from "@/lib/api/contract/run";

/** Deletes the run; its page is left then. */
export function DeleteDialog({ run: { id }, onClose }: { run: Run; onClose: () => void }) {
  const router = useRouter();
  const isItsPage = usePathname().startsWith(`/runs/${id}`);
  return (
    <PlanDialog
      act="delete"
      selection={{ runIds: [id] }}
      open
      onOpenChange={(open) => !open && onClose()}
      onDone={() => isItsPage && router.push("/runs")}
    />
  );
}
