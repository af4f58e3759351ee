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
  /** After G, the key that goes there. */
  key: string;
  icon: LucideIcon;
  group: "work" | "records" | "system";
  demoOnly?: boolean;
  /** How many things there need attention. */
  waiting?: (overview: OverviewResponse) => number;
  /** What the number counts, for those who hear it. */
  waitingFor?: string;
}

/** Every page of the console that has a place in the navigation. */
export const DESTINATIONS: Destination[] = [
  {
    href: "/",
    name: "Overview",
    key: "o",
    icon: LayoutDashboard,
    group: "work",
    waiting: ({ byAttention }) => Object.values(byAttention).reduce((sum, count) => sum + count, 0),
    waitingFor: "runs need attention",
  },
  { href: "/runs", name: "Runs", key: "r", icon: ListTree, group: "work" },
  {
    href: "/problems",
    name: "Problems",
    key: "p",
    icon: OctagonAlert,
    group: "work",
    waiting: ({ problems }) => problems.open,
    waitingFor: "open problems with affected runs",
  },
  {
    href: "/approvals",
    name: "Approvals",
    key: "q",
    icon: MessageCircleQuestion,
    group: "work",
    waiting: ({ byAttention, planApprovals }) => byAttention.approval + planApprovals,
    waitingFor: "questions and plans waiting for an answer",
  },
  {
    href: "/compensations",
    name: "Compensations",
    key: "c",
    icon: Undo2,
    group: "work",
    waiting: ({ openCompensations }) => openCompensations,
    waitingFor: "open compensations",
  },
  { href: "/operations", name: "Operations", key: "b", icon: ListChecks, group: "work" },
  { href: "/effects", name: "Effects", key: "e", icon: ReceiptText, group: "records" },
  { href: "/audit", name: "Audit", key: "a", icon: ScrollText, group: "records" },
  { href: "/workflows", name: "Workflows", key: "f", icon: Workflow, group: "system" },
  { href: "/schedules", name: "Schedules", key: "s", icon: CalendarClock, group: "system" },
  { href: "/workers", name: "Workers", key: "w", icon: Cpu, group: "system" },
  { href: "/settings", name: "Settings", key: "t", icon: Settings, group: "system" },
  { href: "/sandbox", name: "Sandbox", key: "x", icon: FlaskConical, group: "system", demoOnly: true },
];

export function isAt(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
