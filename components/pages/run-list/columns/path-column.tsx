import type { RunListItem } from "@/lib/api/contract/run";
import { foundIn, isWithheld, parseValuePath } from "@/lib/engine/values/value-path";
import { PATH_WIDTH } from "../address/column-url";
import type { RunColumn } from "./run-column";

const WITHHELD = { masked: "masked", clipped: "too long", locked: "key missing", erased: "erased" };

type PathValue = { kind: "absent" } | { kind: "withheld"; why: string } | { kind: "value"; text: string };

/** The value at a path of a run: a text as it is, anything else as JSON, an instant without its tag. */
function pathValueAt(run: Pick<RunListItem, "tags" | "picked">, path: string): PathValue {
  const value = valueAt(run, path);
  if (value === undefined || value === null)
    return value === null ? { kind: "value", text: "null" } : { kind: "absent" };
  if (isWithheld(value)) return { kind: "withheld", why: WITHHELD[(value as { $type: keyof typeof WITHHELD }).$type] };
  return { kind: "value", text: textOf(value) };
}

function valueAt({ tags, picked }: Pick<RunListItem, "tags" | "picked">, path: string): unknown {
  const parsed = parseValuePath(path);
  if (parsed) return foundIn(picked?.[path], parsed.keys);
  const name = path.slice("tags.".length);
  return Object.hasOwn(tags, name) ? tags[name] : undefined;
}

const SCALARS = new Set(["Date", "bigint", "URL", "number"]);

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { $type: type, value: inner } = (value ?? {}) as { $type?: string; value?: unknown };
  return type !== undefined && SCALARS.has(type) ? String(inner) : JSON.stringify(value);
}

/** A column that a user made from a path. */
export const pathColumn = (path: string): RunColumn => ({
  id: path,
  name: path,
  size: PATH_WIDTH,
  cell: (run) => <PathCell shown={pathValueAt(run, path)} />,
  text: (run) => {
    const shown = pathValueAt(run, path);
    return shown.kind === "value" ? shown.text : shown.kind === "withheld" ? shown.why : "";
  },
});

function PathCell({ shown }: { shown: PathValue }) {
  if (shown.kind === "absent") return <span className="text-ink-3">–</span>;
  if (shown.kind === "withheld") return <span className="text-ink-3 text-small italic">{shown.why}</span>;
  return (
    <span title={shown.text} className="font-mono text-small">
      {shown.text}
    </span>
  );
}
