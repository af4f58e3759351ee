import type { Thing } from "@/components/parts/toasts/tell";
import type { Run } from "@/lib/api/contract/run";
import { shortenMiddle } from "@/lib/format";
import { businessKeyOf } from "./run-words";

/** What people call the run. */
export const nameOfRun = (run: Pick<Run, "id" | "idempotencyKey" | "tags">): string =>
  businessKeyOf(run) ?? shortenMiddle(run.id);

export const thisRun = (run: Pick<Run, "id" | "idempotencyKey" | "tags">): Thing => ({
  name: nameOfRun(run),
  href: `/runs/${run.id}`,
});
