"use client";

import { Download, SearchX } from "lucide-react";
import { useQueryState } from "nuqs";
import { useMemo } from "react";
import { tellOtherwise } from "@/components/parts/toasts/tell";
import { type Found, findInJson } from "@/components/parts/values/json-search";
import { JsonView } from "@/components/parts/values/json-view";
import { type Json, toValueNode } from "@/components/parts/values/value-node";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { downloadText } from "@/components/ui/download-text";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { SearchField } from "@/components/ui/form/search-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { read } from "@/lib/api/client/browser";
import type { Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { runPageUrl } from "../address/run-url";

/** One search per pause of the fingers. */
const SETTLE_MS = 200;

/**
 * The run as the API returns it: folded where it is deep or long, or the values that contain a text, each with its
 * path.
 */
export function RawRun({ run }: { run: Run }) {
  const [text, setText] = useQueryState("find", runPageUrl.find);
  const q = useDebounced(text.trim(), SETTLE_MS);
  const json = useMemo(() => JSON.parse(JSON.stringify(run)) as Json, [run]);
  const found = useMemo(() => (q === "" ? null : findInJson(json, q)), [json, q]);
  return (
    <div className="grid max-w-[1280px] grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <SearchField
          className="min-w-0 flex-1 md:max-w-[420px]"
          label="Find in the run"
          placeholder="Find a field or a value"
          value={text}
          onChange={(next) => void setText(next)}
        />
        <Button onClick={() => void save(run)}>
          <Download aria-hidden className="size-3.5 text-ink-3" />
          Download
        </Button>
      </div>
      {run.stepsLeftOut > 0 && (
        <p className="text-ink-2 text-small">
          {plural(run.stepsLeftOut, "step")} of this long run {run.stepsLeftOut === 1 ? "is" : "are"} not here; the
          download has the first 5,000.
        </p>
      )}
      {found ? (
        <FoundValues found={found} />
      ) : (
        <JsonView value={json} what="the run as JSON" className="[&_section]:max-h-none" />
      )}
    </div>
  );
}

async function save(shown: Run): Promise<void> {
  const run = shown.stepsLeftOut > 0 ? await read("/v1/runs/{runId}", { runId: shown.id }).catch(() => null) : shown;
  if (run) downloadText(`${run.workflow}-${run.id}.run.json`, `${JSON.stringify(run, null, 2)}\n`);
  else tellOtherwise("The run could not be read");
}

function FoundValues({ found: { values, more } }: { found: Found }) {
  if (values.length === 0)
    return (
      <EmptyState icon={<SearchX aria-hidden />} title="No matches">
        Searches field names and values, case-insensitive. Masked values are not searched.
      </EmptyState>
    );
  return (
    <div>
      <p role="status" className="mb-1.5 text-ink-3 text-small">
        {more ? `The first ${plural(values.length, "value")}` : plural(values.length, "value")}
      </p>
      <ul aria-label="Found in the run" className="overflow-hidden rounded-lg border border-line-strong bg-panel">
        {values.map(({ path, value }) => (
          <li
            key={path}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-3 border-line border-t px-3 py-1.5 font-mono text-small first:border-t-0"
          >
            <span className="break-words text-ink-2">{path}</span>
            <span className="line-clamp-4 break-words">{shown(value)}</span>
            <CopyButton text={path} what={`the path ${path}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function shown(value: Json): string {
  const node = toValueNode(value);
  return node.kind === "scalar" ? node.text : JSON.stringify(value);
}
