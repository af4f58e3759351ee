"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { classNames } from "@/lib/class-names";
import { formatCount, plural } from "@/lib/format";
import { type Json, type ScalarTone, toValueNode, type ValueNode } from "./value-node";

interface JsonViewProps {
  value: Json;
  /** What the value is, for the copy button: "the input". */
  what: string;
  className?: string;
}

/** A value to read: folded where it is deep or long, its tagged values in words. Text stays text, never markup. */
export function JsonView({ value, what, className }: JsonViewProps) {
  return (
    <div className={classNames("group/json relative isolate rounded-lg bg-sunken", className)}>
      <CopyButton
        text={() => JSON.stringify(value, null, 2)}
        what={what}
        className="absolute top-1.5 right-1.5 z-10 bg-sunken opacity-70 focus-visible:opacity-100 group-hover/json:opacity-100"
      />
      <section
        aria-label={what}
        className="max-h-[420px] overflow-auto rounded-lg px-3 py-2.5 font-mono text-[11.5px] text-ink-2 leading-[18px]"
      >
        <Value value={value} name={what} depth={0} />
      </section>
    </div>
  );
}

const OPEN_DEPTH = 3;
/** A list that is longer is folded, and so is an object inside another. */
const OPEN_PARTS = 40;
/** More parts than this are drawn on request, so that a huge list does not stall the page. */
const DRAWN_PARTS = 200;
const LONG_TEXT = 400;

const TONES = {
  text: "text-green",
  number: "text-blue",
  word: "text-violet",
  special: "text-amber",
  masked: "text-ink-3",
} satisfies Record<ScalarTone, string>;

function Value({ value, name, depth }: { value: Json; name: string; depth: number }) {
  const node = toValueNode(value);
  if (node.kind === "scalar") return <Scalar text={node.text} tone={node.tone} />;
  if (node.parts.length === 0) return <span>{`${node.label}${node.open}${node.close}`}</span>;
  return <Parts node={node} name={name} depth={depth} />;
}

function Scalar({ text, tone }: { text: string; tone: ScalarTone }) {
  const [whole, setWhole] = useState(text.length <= LONG_TEXT);
  return (
    <span className={classNames("whitespace-pre-wrap break-words", TONES[tone])}>
      {whole ? text : text.slice(0, LONG_TEXT)}
      {!whole && <More onClick={() => setWhole(true)}>… {formatCount(text.length - LONG_TEXT)} more</More>}
    </span>
  );
}

const isOpenAtFirst = ({ parts }: PartsNode, depth: number) =>
  (depth < OPEN_DEPTH && parts.length <= OPEN_PARTS) || (depth === 0 && typeof parts[0]?.key === "string");

type PartsNode = Extract<ValueNode, { kind: "parts" }>;

function Parts({ node, name, depth }: { node: PartsNode; name: string; depth: number }) {
  const [open, setOpen] = useState(isOpenAtFirst(node, depth));
  const [drawn, setDrawn] = useState(DRAWN_PARTS);
  const label = node.label ? `${node.label} ` : "";
  return (
    <span>
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${name}: ${label}${plural(node.parts.length, node.open === "[" ? "item" : "field")}`}
        onClick={() => setOpen(!open)}
        className="-ml-1 min-h-6 min-w-6 rounded px-0.5 text-left hover:bg-gray-soft"
      >
        <ChevronRight
          aria-hidden
          className={classNames("-mt-0.5 inline size-3 text-ink-3 transition-transform", open && "rotate-90")}
        />
        <span>{`${label}${node.open}`}</span>
        {!open && <span className="text-ink-3">{` ${node.parts.length} `}</span>}
        {!open && node.close}
      </button>
      {open && (
        <>
          <span className="ml-1 block border-line border-l pl-3">
            {node.parts.slice(0, drawn).map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one value never move
              <span key={index} className="block">
                {part.key !== null && <span className="text-ink">{part.key}: </span>}
                <Value value={part.value} name={part.key ?? `item ${formatCount(index + 1)}`} depth={depth + 1} />
              </span>
            ))}
            {node.parts.length > drawn && (
              <More onClick={() => setDrawn(drawn + DRAWN_PARTS)}>… {formatCount(node.parts.length - drawn)} more</More>
            )}
          </span>
          {node.close}
        </>
      )}
    </span>
  );
}

function More({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <button type="button" onClick={onClick} className="min-h-6 rounded px-0.5 text-accent hover:underline">
      {children}
    </button>
  );
}
