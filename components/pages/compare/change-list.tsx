import { type Json, toValueNode } from "@/components/parts/values/value-node";
import { plural } from "@/lib/format";
import type { JsonChange, JsonChanges } from "./json-changes";

const MOST_SHOWN = 600;

/** Each path where two values differ, with both values. */
export function ChangeList({ changes: { changes, more, unseen }, what }: { changes: JsonChanges; what: string }) {
  const note = unseen ? " Values masked in both runs are not compared." : "";
  if (changes.length === 0) return <p className="text-ink-3">{`The ${what} are the same.${note}`}</p>;
  return (
    <div className="overflow-x-auto rounded-lg border border-line-strong bg-panel">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">{`Where the ${what} differ`}</caption>
        <thead>
          <tr className="text-ink-3 text-small">
            <th scope="col" className="w-[28%] px-3 py-1.5 font-normal">
              Place
            </th>
            <th scope="col" className="px-3 py-1.5 font-normal">
              Here
            </th>
            <th scope="col" className="px-3 py-1.5 font-normal">
              There
            </th>
          </tr>
        </thead>
        <tbody className="font-mono text-small">
          {changes.map((change) => (
            <Row key={change.path} change={change} />
          ))}
        </tbody>
      </table>
      {(more || note) && (
        <p className="border-line border-t px-3 py-1.5 text-ink-3 text-small">
          {more && `${plural(changes.length, "place")} shown; there are more.`}
          {note}
        </p>
      )}
    </div>
  );
}

function Row({ change: { path, here, there } }: { change: JsonChange }) {
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="break-words px-3 py-1.5 font-normal text-ink-2">
        {path || "the value"}
      </th>
      <Cell value={here} mark="−" className="text-amber" />
      <Cell value={there} mark="+" className="text-blue" />
    </tr>
  );
}

function Cell({ value, mark, className }: { value: Json | undefined; mark: string; className: string }) {
  if (value === undefined) return <td className="px-3 py-1.5 font-sans text-ink-3">nothing</td>;
  const text = textOf(value);
  return (
    <td className={`break-words px-3 py-1.5 ${className}`}>
      <span aria-hidden className="select-none pr-1 opacity-70">
        {mark}
      </span>
      {text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}
    </td>
  );
}

function textOf(value: Json): string {
  const node = toValueNode(value);
  return node.kind === "scalar" ? node.text : JSON.stringify(value);
}
