import type { Screen } from "./screen";

/** Names and values below each other; what is empty is left out. */
export function factsText(screen: Screen, facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).filter(([, value]) => value !== "");
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${screen.paint("gray", name.padEnd(width))}  ${value}`).join("\n");
}
