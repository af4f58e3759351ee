import type { Thing } from "@/components/parts/toasts/tell";
import type { Run } from "@/lib/api/contract/run";
import { nameOfRun } from "@/lib/format/run-name";

export const thisRun = (run: Pick<Run, "id" | "runTitle" | "idempotencyKey" | "tags">): Thing => ({
  name: nameOfRun(run.id, run),
  href: `/runs/${run.id}`,
});
