import type { Page } from "@playwright/test";

/**
 * What a user experiences on a page: for each interaction, the time until the next paint, and the tasks that kept the
 * page busy.
 */
export interface Felt {
  /** In milliseconds, longest first. */
  interactions: { ms: number; what: string }[];
  /** Of more than 50 ms, longest first: with what took longest in the frame. */
  tasks: { ms: number; at: number; of: string }[];
}

/** Makes the browser report every interaction and every long task from here on; call it before the page is opened. */
export async function feel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const felt = { interactions: new Map<number, { ms: number; what: string }>(), tasks: [] as Felt["tasks"] };
    (globalThis as unknown as { felt: typeof felt }).felt = felt;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[]) {
        if (entry.interactionId === 0 || entry.duration <= (felt.interactions.get(entry.interactionId)?.ms ?? 0))
          continue;
        const target = entry.target instanceof Element ? entry.target : null;
        const name = target?.getAttribute("aria-label") ?? target?.textContent?.slice(0, 30) ?? "";
        felt.interactions.set(entry.interactionId, { ms: entry.duration, what: `${entry.name} ${name}` });
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) felt.tasks.push({ ms: duration, at: startTime, of: "" });
    }).observe({ type: "longtask", buffered: true });
    new PerformanceObserver((list) => {
      type Script = { duration: number; invoker: string; sourceURL: string };
      type Frame = PerformanceEntry & { scripts: Script[]; styleAndLayoutStart: number };
      for (const frame of list.getEntries() as Frame[]) {
        const end = frame.startTime + frame.duration;
        const task = felt.tasks.findLast(({ at, ms }) => at < end && at + ms > frame.startTime);
        if (!task) continue;
        const scripts = [...frame.scripts].sort((a, b) => b.duration - a.duration);
        const told = scripts.slice(0, 2).map(({ invoker, duration }) => `${invoker} ${Math.round(duration)} ms`);
        const layout = frame.styleAndLayoutStart > 0 ? Math.round(end - frame.styleAndLayoutStart) : 0;
        task.of = [...told, `styles and layout ${layout} ms`].join(", ");
      }
    }).observe({ type: "long-animation-frame", buffered: true });
  });
}

/** What was measured since the page was opened, or since the last call. */
export async function felt(page: Page): Promise<Felt> {
  return page.evaluate(() => {
    const { felt } = globalThis as unknown as { felt: { interactions: Map<number, never>; tasks: Felt["tasks"] } };
    const interactions: Felt["interactions"] = [...felt.interactions.values()];
    const tasks = felt.tasks.splice(0);
    felt.interactions.clear();
    return { interactions: interactions.sort((a, b) => b.ms - a.ms), tasks: tasks.sort((a, b) => b.ms - a.ms) };
  });
}

/** As browsers count: the longest, ignoring one in fifty. */
export const inpOf = ({ interactions }: Felt): number => interactions[Math.floor(interactions.length / 50)]?.ms ?? 0;
