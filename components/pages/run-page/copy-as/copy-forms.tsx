"use client";

import { Braces, FlaskConical, Terminal } from "lucide-react";
import type { ReactNode } from "react";
import { tell, tellOtherwise } from "@/components/parts/toasts/tell";
import { downloadText } from "@/components/ui/download-text";
import { MenuItem } from "@/components/ui/overlay/menu";
import { read } from "@/lib/api/client/browser";
import type { Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { asReadCurl, asStartCurl } from "./as-curl";
import { asTest, whyNoTest } from "./as-test";

/** A larger text is no longer copied: it becomes a file. */
const MOST_COPIED = 1_048_576;

interface Form {
  name: string;
  note: string;
  icon: ReactNode;
  file: string;
  text: (run: Run, address: string) => string;
  closed?: (run: Run) => string | null;
}

const FORMS: Form[] = [
  {
    name: "A test",
    note: "vitest: replays its code over the recorded results",
    icon: <FlaskConical aria-hidden />,
    file: "replay.test.ts",
    text: (run, origin) => asTest(run, `${origin}/runs/${run.id}`),
    closed: whyNoTest,
  },
  {
    name: "curl to start it again",
    note: "A new run with the same input",
    icon: <Terminal aria-hidden />,
    file: "start.sh",
    text: asStartCurl,
  },
  {
    name: "curl to read it",
    note: "This run as JSON, from the API",
    icon: <Terminal aria-hidden />,
    file: "read.sh",
    text: asReadCurl,
  },
  {
    name: "JSON",
    note: "Everything on this page",
    icon: <Braces aria-hidden />,
    file: "run.json",
    text: (run) => `${JSON.stringify(run, null, 2)}\n`,
  },
];

/** The available formats, as menu items. */
export const CopyForms = ({ run }: { run: Run }) =>
  FORMS.map((form) => {
    const because = form.closed?.(run) ?? null;
    return (
      <MenuItem
        key={form.name}
        icon={form.icon}
        closed={because !== null}
        note={because ?? form.note}
        onSelect={() => void copy(form, run)}
      >
        {form.name}
      </MenuItem>
    );
  });

async function copy({ name, file, text }: Form, shown: Run): Promise<void> {
  // The page of a long run opens with its first steps; the copy has as many as one request returns.
  const run = shown.stepsLeftOut > 0 ? await read("/v1/runs/{runId}", { runId: shown.id }).catch(() => null) : shown;
  if (!run) return void tellOtherwise(`${name}: the run could not be read`);
  const made = text(run, window.location.origin);
  const download = () => downloadText(`${run.workflow}-${run.id}.${file}`, made);
  if (made.length > MOST_COPIED) {
    download();
    tell(`${name}: saved as a file`, { description: "Too large to paste." });
    return;
  }
  try {
    await navigator.clipboard.writeText(made);
    const lines = made.trimEnd().split("\n").length;
    tell(`${name}: copied`, {
      description: plural(lines, "line"),
      next: { label: "Save as a file", act: download },
    });
  } catch {
    tellOtherwise("The browser does not allow this page to copy", { next: { label: "Save as a file", act: download } });
  }
}
