import {
  CalendarClock,
  Cpu,
  Database,
  FlaskConical,
  History,
  Inbox,
  ListChecks,
  ListTree,
  type LucideIcon,
  Megaphone,
  MessageCircleQuestion,
  OctagonAlert,
  ReceiptText,
  ScrollText,
  Settings,
  Undo2,
  Workflow,
} from "lucide-react";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";

/** Earlier names of pages, and what people call them elsewhere. */
export const PAGE_WORDS: Record<string, string> = {
  "/": "overview home dashboard needs attention todo queue tasks alerts charts",
  "/approvals": "inbox answer question approve reject four eyes second person requests sign off",
  "/compensations": "inbox undo refund rollback reverse manual",
  "/runs": "browse executions jobs instances list search find all",
  "/problems": "errors failures issues incidents groups",
  "/workflows": "definitions flows queues limits versions intake pause",
  "/schedules": "cron timers backfill workflows recurring",
  "/operations": "operations batch mass many plans rerun cancel",
  "/effects": "records ledger charges duplicates twice once providers",
  "/audit": "records log history who did what",
  "/workers": "system processes capacity live lost",
  "/database": "system postgres health size connections vacuum dead rows",
  "/retention": "system delete deleted keep days clean up",
  "/notifications": "system settings destinations webhook e-mail email alerts mail slack",
  "/settings": "people users access tokens sessions saved views invite permissions roles",
  "/sandbox": "demo gateway faults simulated services",
};

/** Other words for an action: of other products, and of people who do not know this one yet. */
export const ACT_WORDS: Partial<Record<OperatorAct, string>> = {
  rerun: "retry again restart replay repair fix resume failed step",
  start_again: "retry again restart copy clone edit input new",
  settle: "resolve settle unknown outcome skip supply happened check provider",
  mark_compensated:
    "mark manual manually compensation compensated undo refund refunded done settle resolve by hand waive",
  compensate: "undo refund rollback roll back reverse retry compensation",
  assign: "assign owner take compensation",
  cancel: "stop abort kill terminate end",
  pause: "hold stop suspend",
  resume: "unpause continue go on",
  wake: "skip wait sleep timer now",
  answer: "approve reject approval question",
  send_event: "signal message event emit",
  snooze: "snooze later hide acknowledge mute",
  move: "upgrade version migrate code deploy",
};

export const PAGE_ICONS: Record<string, LucideIcon> = {
  "/": Inbox,
  "/runs": ListTree,
  "/problems": OctagonAlert,
  "/workflows": Workflow,
  "/schedules": CalendarClock,
  "/operations": ListChecks,
  "/effects": ReceiptText,
  "/audit": ScrollText,
  "/workers": Cpu,
  "/database": Database,
  "/retention": History,
  "/notifications": Megaphone,
  "/settings": Settings,
  "/sandbox": FlaskConical,
  "/approvals": MessageCircleQuestion,
  "/compensations": Undo2,
};
