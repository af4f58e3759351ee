import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { FLOW_WINDOW_NAMES } from "@/lib/engine/flow/rollup";

/** The refresh interval of the charts. */
export const REFRESHES = {
  "5s": { ms: 5_000, text: "5 s" },
  "15s": { ms: 15_000, text: "15 s" },
  "1m": { ms: 60_000, text: "1 min" },
  off: { ms: false, text: "off" },
} as const;
export const REFRESH_NAMES = ["5s", "15s", "1m", "off"] as const satisfies (keyof typeof REFRESHES)[];

/** What the address of the overview and of a workflow's page holds. */
export const flowUrl = {
  window: parseAsStringLiteral(FLOW_WINDOW_NAMES).withDefault("1h"),
  refresh: parseAsStringLiteral(REFRESH_NAMES).withDefault("15s"),
};
export const overviewUrl = { ...flowUrl, workflow: parseAsArrayOf(parseAsString).withDefault([]) };
