export interface Change {
  /** Names from the outside in, joined by dots. */
  path: string;
  before: string | null;
  after: string | null;
}

/** Differences between two JSON values, path by path; null if there are none. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [was, is] = [placesOf(before), placesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((change) => change.before !== change.after);
}

function placesOf(value: unknown, path: string[] = []): Map<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return new Map([[path.join("."), typeof value === "string" ? value : JSON.stringify(value)]]);
  return new Map(Object.entries(value).flatMap(([name, item]) => [...placesOf(item, [...path, name])]));
}
