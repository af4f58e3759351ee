"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import type { TimeStyle } from "@/lib/format/times";
import type { ChartData } from "./chart-series";
import type { Plot, PlotAsked } from "./plot";

type PlotLook = Omit<PlotAsked, "times">;

/**
 * Draws into the element once uPlot is loaded, and again when the data, the theme or the time format change. Null until
 * then, and where nothing can be drawn.
 */
export function usePlot(
  host: RefObject<HTMLElement | null>,
  data: ChartData,
  asked: PlotLook,
  times: TimeStyle,
): Plot | null {
  const [plot, setPlot] = useState<Plot | null>(null);
  const latest = useRef({ data, asked, times });
  latest.current = { data, asked, times };
  const looks = data.series.map(({ name, tone, shape }) => `${name} ${tone} ${shape}`).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew only when its series are others; what they hold follows below.
  useEffect(() => {
    let drawn: Plot | undefined;
    let gone = false;
    void import("./plot").then(({ draw }) => {
      const element = host.current;
      if (gone || !element) return;
      drawn = draw(element, latest.current.data, {
        ...latest.current.asked,
        times: () => latest.current.times,
        onPoint: (index) => latest.current.asked.onPoint(index),
      });
      setPlot(drawn);
    });
    return () => {
      gone = true;
      drawn?.destroy();
      setPlot(null);
    };
  }, [host, looks, asked.height]);

  useEffect(() => plot?.setData(data), [plot, data]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks for the times itself.
  useEffect(() => plot?.redraw(), [plot, times]);

  useEffect(() => {
    if (!plot) return;
    const themes = new MutationObserver(() => plot.redraw());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-contrast"] });
    return () => themes.disconnect();
  }, [plot]);

  return plot;
}
