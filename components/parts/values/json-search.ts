import type { Json } from "./value-node";

interface FoundValue {
  /** As one writes it in code: `steps[1].output.id`. */
  path: string;
  value: Json;
}

export interface Found {
  values: FoundValue[];
  /** There are more results than are returned. */
  more: boolean;
}

const MOST = 200;

/** Single values whose path or text holds `q`, whatever the case; 200 at the most, in their order. */
export function findInJson(json: Json, q: string): Found {
  const found: Found = { values: [], more: false };
  const wanted = q.toLowerCase();
  walk(json, "", (path, value) => {
    if (!path.toLowerCase().includes(wanted) && !textOf(value).toLowerCase().includes(wanted)) return true;
    if (found.values.length < MOST) found.values.push({ path, value });
    else found.more = true;
    return !found.more;
  });
  return found;
}

/** `visit` says whether to go on. */
function walk(json: Json, path: string, visit: (path: string, value: Json) => boolean): boolean {
  if (Array.isArray(json) && json.length > 0)
    return json.every((item, index) => walk(item, `${path}[${index}]`, visit));
  if (typeof json === "object" && json !== null && !Array.isArray(json) && !("$type" in json)) {
    const entries = Object.entries(json);
    if (entries.length > 0) return entries.every(([key, item]) => walk(item, pathTo(path, key), visit));
  }
  return visit(path, json);
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The way to a field, as one writes it in code. */
export function pathTo(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
