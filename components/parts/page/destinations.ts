import {
  Cpu,
  Inbox,
  ListChecks,
  ListTree,
  type LucideIcon,
  OctagonAlert,
  ScrollText,
  Settings,
  Workflow,
} from "lucide-react";
import type { OverviewResponse } from "@/lib/api/contract/responses";

export interface Page {
  href: string;
  name: string;
  /** After G, the key that goes there. */
  key: string;
  demoOnly?: boolean;
  fleetOnly?: boolean;
  /** How many things there need attention. */
  waiting?: (overview: OverviewResponse) => number;
  /** What the number counts, for those who hear it. */
  waitingFor?: string;
}

/** An entry of the navigation; its pages are tabs of each other. */
export interface Destination extends Pick<Page, "waiting" | "waitingFor"> {
  name: string;
  icon: LucideIcon;
  pages: readonly [Page, ...Page[]];
  /** Whether something is broken or blocked; what waits for an answer is not. */
  urgent?: (overview: OverviewResponse) => boolean;
}

const inNeed = ({ byAttention }: OverviewResponse) => Object.values(byAttention).reduce((sum, count) => sum + count, 0);

const INBOX: Page = { href: "/", name: "Inbox", key: "i" };
const APPROVALS: Page = {
  href: "/approvals",
  name: "Approvals",
  key: "q",
  waiting: ({ byAttention, planApprovals }) => byAttention.approval + planApprovals,
  waitingFor: "questions and plans waiting for an answer",
};
const COMPENSATIONS: Page = {
  href: "/compensations",
  name: "Compensations",
  key: "c",
  waiting: ({ openCompensations }) => openCompensations,
  waitingFor: "open compensations",
};
const FLEET: Page = { href: "/fleet", name: "Fleet", key: "v", fleetOnly: true };
const RUNS: Page = { href: "/runs", name: "Runs", key: "r" };
const PROBLEMS: Page = { href: "/problems", name: "Problems", key: "p" };
const WORKFLOWS: Page = { href: "/workflows", name: "Workflows", key: "f" };
const SCHEDULES: Page = { href: "/schedules", name: "Schedules", key: "s" };
const BULK_ACTIONS: Page = { href: "/operations", name: "Bulk actions", key: "b" };
const EFFECTS: Page = { href: "/effects", name: "Effects", key: "e" };
const LOGS: Page = { href: "/logs", name: "Logs", key: "o" };
const AUDIT: Page = { href: "/audit", name: "Audit", key: "a" };
const WORKERS: Page = { href: "/workers", name: "Workers", key: "w" };
const DATABASE: Page = { href: "/database", name: "Database", key: "d" };
const RETENTION: Page = { href: "/retention", name: "Retention", key: "h" };
const NOTIFICATIONS: Page = { href: "/notifications", name: "Notifications", key: "n" };
const ALERTS: Page = { href: "/alerts", name: "Alerts", key: "l" };
const SETTINGS: Page = { href: "/settings", name: "Settings", key: "t" };
const SANDBOX: Page = { href: "/sandbox", name: "Sandbox", key: "x", demoOnly: true };

/** The navigation, in its order. */
export const DESTINATIONS: readonly [Destination, ...Destination[]] = [
  {
    name: "Inbox",
    icon: Inbox,
    pages: [INBOX, APPROVALS, COMPENSATIONS, FLEET],
    waiting: (overview) => inNeed(overview) + (overview.planApprovals ?? 0),
    waitingFor: "need attention",
    urgent: (overview) => inNeed(overview) > overview.byAttention.approval,
  },
  { name: "Runs", icon: ListTree, pages: [RUNS] },
  {
    name: "Problems",
    icon: OctagonAlert,
    pages: [PROBLEMS],
    waiting: ({ problems }) => problems.open,
    waitingFor: "open problems with affected runs",
  },
  { name: "Workflows", icon: Workflow, pages: [WORKFLOWS, SCHEDULES] },
  { name: "Bulk actions", icon: ListChecks, pages: [BULK_ACTIONS] },
  { name: "Records", icon: ScrollText, pages: [EFFECTS, LOGS, AUDIT] },
  { name: "System", icon: Cpu, pages: [WORKERS, DATABASE, RETENTION, ALERTS, NOTIFICATIONS] },
  { name: "Settings", icon: Settings, pages: [SETTINGS] },
];

/** Every page that keys and the palette lead to. The sandbox is in the demo's bar. */
export const PAGES: readonly Page[] = [...DESTINATIONS.flatMap(({ pages }) => pages), SANDBOX];

/** The pages that there are: some are of the demo, or of a fleet. */
export const existing = (pages: readonly Page[], overview: OverviewResponse | undefined) =>
  pages.filter(({ demoOnly, fleetOnly }) => (!demoOnly || overview?.demo) && (!fleetOnly || overview?.cell));

export function isAt(pathname: string, href: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
