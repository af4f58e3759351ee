"use client";

import { SIDE_BY_SIDE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { TabPanel, Tabs } from "@/components/ui/layout/tabs";
import type { Run, Step } from "@/lib/api/contract/run";
import type { RunTab } from "../address/run-url";
import { TimelinePanel } from "../timeline/timeline-panel";
import { hasToDoWithEvents } from "./event-facts";
import {
  AuditList,
  ChildrenTab,
  EffectsTab,
  EventsTab,
  GraphPanel,
  LogList,
  RawRun,
  TraceTab,
} from "./run-views-later";
import { useRunPage } from "./use-selected-step";
import { WithInspector } from "./with-inspector";

/** `page` scrolls as a whole when timeline and inspector are not side by side. */
export function RunTabs({ run, page }: { run: Run; page: HTMLDivElement | null }) {
  const { tab, setTab, whole, ...chosen } = useRunPage(run);
  const tabs: { value: RunTab; text: string; count?: number }[] = [
    { value: "timeline", text: "Timeline" },
    { value: "graph", text: "Graph" },
    { value: "effects", text: "Effects" },
    { value: "logs", text: "Logs" },
    { value: "trace", text: "Trace" },
    // A tab that the address names is there, also when there is nothing in it.
    ...(hasToDoWithEvents(run) || tab === "events"
      ? [{ value: "events" as const, text: "Events", count: run.events.length }]
      : []),
    ...(run.children.total > 0 || tab === "children"
      ? [{ value: "children" as const, text: "Children", count: run.children.total }]
      : []),
    { value: "audit", text: "Audit", count: run.audit.length },
    { value: "raw", text: "Raw" },
  ];
  return (
    <Tabs label="Views of the run" value={tab} onChange={setTab} tabs={tabs}>
      <TabPanel value="timeline" className="flex min-h-0 flex-1 flex-col">
        <StepsPanel run={whole} page={page} {...chosen} />
      </TabPanel>
      <TabPanel value="graph" className="flex min-h-0 flex-1 flex-col">
        <WithInspector run={whole} {...chosen} onClose={() => void chosen.selectStep(null)}>
          <GraphPanel run={whole} selected={chosen.step} onSelect={(step) => void chosen.selectStep(step)} />
        </WithInspector>
      </TabPanel>
      <TabPanel value="effects" className="min-h-0 flex-1 xl:overflow-y-auto">
        <EffectsTab run={run} />
      </TabPanel>
      <TabPanel value="logs" className="min-h-0 flex-1 xl:overflow-y-auto">
        <LogList run={run} />
      </TabPanel>
      <TabPanel value="trace" className="min-h-0 flex-1 xl:overflow-y-auto">
        <TraceTab run={run} />
      </TabPanel>
      <TabPanel value="events" className="min-h-0 flex-1 xl:overflow-y-auto">
        <EventsTab run={run} />
      </TabPanel>
      <TabPanel value="children" className="min-h-0 flex-1 xl:overflow-y-auto">
        <ChildrenTab run={run} />
      </TabPanel>
      <TabPanel value="audit" className="min-h-0 flex-1 xl:overflow-y-auto">
        <AuditList audit={run.audit} />
      </TabPanel>
      <TabPanel value="raw" className="min-h-0 flex-1 px-4 py-4 md:px-6 xl:overflow-y-auto">
        <RawRun run={run} />
      </TabPanel>
    </Tabs>
  );
}

interface StepsPanelProps {
  run: Run;
  page: HTMLDivElement | null;
  step: Step | null;
  named: string | null;
  shown: string | null;
  selectStep: (step: Pick<Step, "name" | "generation" | "supersededBy"> | null) => void;
}

/** The steps, and beside them what is known of the one that is chosen, or of the run. */
function StepsPanel({ run, page, step, named, shown, selectStep }: StepsPanelProps) {
  const wide = useMediaQuery(SIDE_BY_SIDE);
  return (
    <WithInspector run={run} step={step} named={named} onClose={() => selectStep(null)}>
      {/* Where the page scrolls as a whole, a run opens with its sentence, which leads to the step. */}
      <TimelinePanel
        run={run}
        selected={step}
        opensAt={wide ? shown : named}
        onSelect={selectStep}
        wide={wide}
        page={page}
      />
    </WithInspector>
  );
}
