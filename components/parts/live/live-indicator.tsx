"use client";

import { Pause, Play } from "lucide-react";
import { useZoneChoice } from "@/components/parts/time/time-choices";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { IconButton } from "@/components/ui/icon-button";
import { classNames } from "@/lib/class-names";
import { formatClock } from "@/lib/format/times";
import { HEALTH_WORDS } from "./health-words";
import { useLive } from "./live-provider";
import { useHealth } from "./use-health";
import { useLastUpdate } from "./use-last-update";

/** How fresh the data is, and a button to pause updates. */
export function LiveIndicator() {
  const { paused, setPaused } = useLive();
  const health = useHealth();
  const updatedAt = useLastUpdate();
  const times = useTimes();
  const [zone] = useZoneChoice();
  const { word, dot } = HEALTH_WORDS[health.is];
  return (
    <div className="flex items-center gap-1 whitespace-nowrap text-ink-3 text-small print:hidden">
      <span className={classNames("size-1.5 rounded-full", dot)} />
      <span role="status" className="ml-0.5">
        {word}
      </span>
      {updatedAt > 0 && (
        <span className="max-sm:hidden md:max-lg:hidden">
          · updated {formatClock(updatedAt, times)}
          {zone !== null && ` ${zone}`}
        </span>
      )}
      <IconButton label={paused ? "Resume updating" : "Pause updating"} onClick={() => setPaused(!paused)}>
        {paused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
      </IconButton>
    </div>
  );
}
