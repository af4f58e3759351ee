import {
  CalendarClock,
  Cpu,
  FlaskConical,
  LayoutDashboard,
  ListChecks,
  ListTree,
  type LucideIcon,
  MessageCircleQuestion,
  OctagonAlert,
  ReceiptText,
  ScrollText,
  Settings,
  Undo2,
  Workflow,
} from "lucide-react";
import type { OverviewResponse } from "@/lib/api/contract/responses";

export interface Destination {
  href: string;
  name: string;
  icon: LucideIcon;
  group: "work" | "records" | "system";
  demoOnly?: boolean;
  /** How many things there wait for a person. */
  waiting?: (overview: OverviewResponse) => number;
  /** What the number counts, for those who hear it. */
  waitingFor?: string;
}

/** Every page of the console that has a place in the navigation. */
export const DESTINATIONS: Destination[] = [
  {
    href: "/",
    name: "Overview",
    icon: LayoutDashboard,
    group: "work",
    waiting: ({ byAttention }) => Object.values(byAttention).reduce((sum, count) => sum + count, 0),
    waitingFor: "runs need a person",
  },
  { href: "/runs", name: "Runs", icon: ListTree, group: "work" },
  {
    href: "/problems",
    name: "Problems",
    icon: OctagonAlert,
    group: "work",
    waiting: ({ problems }) => problems.open,
    waitingFor: "open problems hold runs",
  },
  {
    href: "/approvals",
    name: "Approvals",
    icon: MessageCircleQuestion,
    group: "work",
    waiting: ({ byAttention, planApprovals }) => byAttention.approval + planApprovals,
    waitingFor: "questions and plans wait for an answer",
  },
  {
    href: "/compensations",
    name: "Compensations",
    icon: Undo2,
    group: "work",
    waiting: ({ openCompensations }) => openCompensations,
    waitingFor: "open compensations",
  },
  { href: "/operations", name: "Operations", icon: ListChecks, group: "work" },
  { href: "/effects", name: "Effects", icon: ReceiptText, group: "records" },
  { href: "/audit", name: "Audit", icon: ScrollText, group: "records" },
  { href: "/workflows", name: "Workflows", icon: Workflow, group: "system" },
  { href: "/schedules", name: "Schedules", icon: CalendarClock, group: "system" },
  { href: "/workers", name: "Workers", icon: Cpu, group: "system" },
  { href: "/settings", name: "Settings", icon: Settings, group: "system" },
  { href: "/sandbox", name: "Sandbox", icon: FlaskConical, group: "system", demoOnly: true },
];

export function isAt(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
