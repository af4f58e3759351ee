import type { Look } from "@/components/parts/status/look";
import type { WorkerView } from "@/lib/api/contract/responses";

export const WORKER_LOOKS = {
  live: { shape: "check", word: "Live", tone: "green" },
  stopping: { shape: "pause", word: "Stopping", tone: "amber" },
  lost: { shape: "question", word: "Lost", tone: "amber" },
  stopped: { shape: "slash", word: "Stopped", tone: "quiet" },
} as const satisfies Record<WorkerView["status"], Look>;
