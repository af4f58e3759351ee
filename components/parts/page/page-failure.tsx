"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useCutOff } from "@/components/parts/live/use-health";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Copyable } from "@/components/ui/text/copyable";
import { NoAnswer } from "./no-answer";

const FIRST_MS = 3_000;
const LONGEST_MS = 60_000;

interface PageFailureProps {
  /** Completes "… could not be drawn". */
  what: string;
  error: Error & { digest?: string };
  retry: () => void;
}

/** In place of a page that could not be drawn, which is drawn again as soon as the console is ready. */
export function PageFailure({ what, error, retry }: PageFailureProps) {
  const trouble = useCutOff();
  const trying = useRetries(error, retry);
  if (trouble !== null)
    return (
      <div role="alert" className="grid flex-1 place-items-center">
        <NoAnswer what={what} trouble={trouble} />
      </div>
    );
  return (
    <div role="alert" className="grid flex-1 place-items-center">
      <EmptyState
        icon={<TriangleAlert aria-hidden />}
        title={`${what} could not be drawn`}
        action={
          <Button onClick={trying.now} disabled={trying.pressed}>
            {trying.pressed ? <Spinner /> : <RotateCw aria-hidden className="size-3.5" />}
            Try again
          </Button>
        }
      >
        <p>{trying.because} It is tried again by itself. Nothing was changed.</p>
        {error.digest && (
          <p className="mt-2 flex items-center justify-center gap-1 text-ink-3 text-small">
            In the console’s log: <Copyable text={error.digest} what="the error's id" />
          </p>
        )}
      </EmptyState>
    </div>
  );
}

/** Asks the console whether it is ready, less and less often, and then draws the page again. */
function useRetries(error: Error, retry: () => void) {
  const [because, setBecause] = useState("Something unexpected happened.");
  const [pressed, setPressed] = useState(false);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const again = async (waitMs: number) => {
      const problem = await problemOfConsole();
      if (problem === null) drawAgain(error, latest.current);
      else setBecause(problem);
      timer = setTimeout(() => void again(Math.min(LONGEST_MS, 2 * waitMs)), waitMs);
    };
    timer = setTimeout(() => void again(FIRST_MS), FIRST_MS);
    return () => clearTimeout(timer);
  }, [error]);
  const now = () => {
    setPressed(true);
    drawAgain(error, latest.current);
  };
  return { because, pressed, now };
}

/** Null: none. */
async function problemOfConsole(): Promise<string | null> {
  try {
    const { problems } = (await (await fetch("/api/health/ready")).json()) as { problems: string[] };
    return problems[0] ?? null;
  } catch {
    return "The console does not answer.";
  }
}

/** The code of another build is not there any more: only the whole page brings the new one. */
function drawAgain(error: Error, retry: () => void): void {
  if (error.name === "ChunkLoadError") location.reload();
  else retry();
}
