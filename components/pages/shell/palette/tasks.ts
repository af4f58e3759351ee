"use client";

import { ListTree, MessageCircleReply, OctagonAlert, RotateCcw, UserCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import type { Command } from "@/components/parts/palette/commands";
import { ACT_WORDS } from "./command-words";

const TASKS = [
  {
    href: "/runs?attention=failed",
    label: "Rerun a failed step",
    note: "Failed runs, each with its failed step",
    words: `${ACT_WORDS.rerun} runs failures`,
    icon: RotateCcw,
  },
  {
    href: "/compensations",
    label: "Mark manual compensation",
    note: "Compensations to carry out or confirm",
    words: ACT_WORDS.mark_compensated ?? "",
    icon: UserCheck,
  },
  {
    href: "/runs?attention=outcome_unknown",
    label: "Resolve an unknown outcome",
    note: "Runs whose step may have happened",
    words: `${ACT_WORDS.settle} runs lost`,
    icon: OctagonAlert,
  },
  {
    href: "/approvals",
    label: "Answer a question or approve a plan",
    note: "Approvals, and requests for a second person",
    words: `${ACT_WORDS.answer} four eyes`,
    icon: MessageCircleReply,
  },
  { href: "/runs", label: "Browse runs", note: "All runs, newest first", words: "list find search", icon: ListTree },
];

/** What people come for, by what they call it; each leads to the list that it starts from. */
export function useTasks(): Command[] {
  const router = useRouter();
  return TASKS.map(({ href, ...task }) => ({ id: `task ${task.label}`, ...task, run: () => router.push(href) }));
}
