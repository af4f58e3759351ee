"use client";

import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { later } from "@/components/ui/later";

const waiting = (
  <Loading what="the view" className="grid gap-3 px-4 py-4 md:px-6">
    <Skeleton className="h-4 w-48" />
    <Skeleton className="h-24" />
  </Loading>
);

/** Views of a run's page that are loaded on demand: the timeline and the facts of the run come first. */
export const GraphPanel = later(() => import("../graph/graph-panel").then((part) => part.GraphPanel), waiting);
export const EffectsTab = later(
  () => import("@/components/domain/effects/effects-tab").then((part) => part.EffectsTab),
  waiting,
);
export const LogList = later(() => import("./log-list").then((part) => part.LogList), waiting);
export const TraceTab = later(() => import("../trace/trace-tab").then((part) => part.TraceTab), waiting);
export const EventsTab = later(() => import("./events-tab").then((part) => part.EventsTab), waiting);
export const ChildrenTab = later(() => import("../tree/children-tab").then((part) => part.ChildrenTab), waiting);
export const AuditList = later(() => import("./audit-list").then((part) => part.AuditList), waiting);
export const RawRun = later(() => import("./raw-run").then((part) => part.RawRun), waiting);
export const StepInspector = later(
  () => import("../inspector/step-inspector").then((part) => part.StepInspector),
  waiting,
);
