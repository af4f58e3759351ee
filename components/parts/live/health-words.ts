import type { Health } from "./health";

/** The word beside the time of the last update, and its dot. */
export const HEALTH_WORDS = {
  connecting: { word: "Connecting", dot: "bg-ink-3" },
  live: { word: "Live", dot: "bg-green" },
  paused: { word: "Paused", dot: "bg-amber" },
  workerless: { word: "No worker", dot: "bg-amber" },
  slow: { word: "Slow", dot: "bg-amber" },
  stale: { word: "Stale", dot: "bg-amber" },
  database: { word: "No database", dot: "bg-red" },
  console: { word: "No console", dot: "bg-red" },
  offline: { word: "Offline", dot: "bg-red" },
} as const satisfies Record<Health["is"], { word: string; dot: string }>;

/** What is wrong, as a sentence without its end; null: nothing that a page has to say. */
export function troubleOf(health: Health, clock: (atMs: number) => string): string | null {
  if (health.is === "workerless") return "No worker is live";
  if (!("sinceMs" in health)) return null;
  const since = clock(health.sinceMs);
  switch (health.is) {
    case "offline":
      return `Offline since ${since}`;
    case "console":
      return `The console has not answered since ${since}`;
    case "database":
      return `The database has not answered since ${since}`;
    case "stale":
      return `Stale since ${since}`;
    case "slow":
      return `Slow: an answer has been on its way since ${since}`;
  }
}

/** Why nothing can be sent. */
export const notSent = (trouble: string) =>
  `Not sent: ${trouble.charAt(0).toLowerCase()}${trouble.slice(1)}. Nothing was changed, and what you entered stays here.`;
