import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds by the clock, and of the processor. */
  dur?: number;
  tdur?: number;
}

const SCRIPTS = new Set(["FunctionCall", "EvaluateScript", "RunMicrotasks"]);
const TASK = "ThreadControllerImpl::RunTask";

/**
 * The tasks of a page during an interaction, in milliseconds of processor time, longest first: other load on the
 * machine lengthens a task by the clock, but hardly by this measure.
 */
export async function busy(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<number[]> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const scripted = new Map<string, number>();
  for (const event of traceEvents)
    if (SCRIPTS.has(event.name)) scripted.set(thread(event), (scripted.get(thread(event)) ?? 0) + (event.dur ?? 0));
  // Other pages of the browser's own run hardly any script.
  const [main] = [...scripted].sort(([, a], [, b]) => b - a)[0] ?? [];
  return traceEvents
    .filter((event) => event.name === TASK && thread(event) === main)
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => b - a);
}
