"use client";

import { useState } from "react";
import type { Run } from "@/lib/api/contract/run";
import { PermittedButton } from "../access/permitted-button";
import { OpenActDialog } from "../acts/act-dialogs-later";
import type { OpenAct } from "../acts/open-act";
import { standingSteps } from "../acts/rerun-split";

/** The event or the question that a run waits for, with the button that ends the wait. */
export function WhatItWaitsFor({ run, step: name }: { run: Run; step: string }) {
  const [open, setOpen] = useState<OpenAct | null>(null);
  const step = standingSteps(run.steps).find((candidate) => candidate.name === name);
  if (!step?.wait) return null;
  const { question, event, key } = step.wait;
  return (
    <>
      {question ? (
        <p className="mt-2 whitespace-pre-wrap break-words font-medium">{question}</p>
      ) : (
        <p className="mt-1 break-words">
          Event <span className="font-mono text-small">{event}</span>
          {key && (
            <>
              {" "}
              for <span className="font-mono text-small">{key}</span>
            </>
          )}
        </p>
      )}
      <PermittedButton
        action={question ? "run.answer" : "run.send_event"}
        workflow={run.workflow}
        size="small"
        className="mt-2"
        onClick={() =>
          setOpen(question ? { act: "answer", step: name } : { act: "send_event", ...(event && { event }) })
        }
      >
        {question ? "Answer…" : "Send the event…"}
      </PermittedButton>
      {open && <OpenActDialog run={run} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}
