"use client";

import { Lock, RotateCw, TriangleAlert } from "lucide-react";
import { useCutOff } from "@/components/parts/live/use-health";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Copyable } from "@/components/ui/text/copyable";
import { ApiError } from "@/lib/api/client/client";
import { NoAnswer } from "./no-answer";

interface QueryFailureProps {
  /** Completes "Could not load …". */
  what: string;
  error: unknown;
  onRetry: () => void;
  className?: string;
}

/**
 * What went wrong, the request's id for the log, and the next step; without the permission, why, and no retry. What nothing answers
 * comes by itself when something does.
 */
export function QueryFailure({ what, error, onRetry, className }: QueryFailureProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const trouble = useCutOff();
  if (error instanceof ApiError && error.code === "forbidden")
    return (
      <div role="status" className={className}>
        <EmptyState icon={<Lock aria-hidden />} title="No access">
          {error.message}
        </EmptyState>
      </div>
    );
  if (trouble !== null)
    return (
      <div role="status" className={className}>
        <NoAnswer what={what} trouble={trouble} />
      </div>
    );
  return (
    <div role="alert" className={className}>
      <EmptyState
        icon={<TriangleAlert aria-hidden />}
        title={`Could not load ${what}`}
        action={
          <Button onClick={onRetry}>
            <RotateCw aria-hidden className="size-3.5" />
            Try again
          </Button>
        }
      >
        <p>{error instanceof Error ? error.message : "Something unexpected happened."}</p>
        {requestId && (
          <p className="mt-2 flex items-center justify-center gap-1 text-ink-3 text-small">
            Request <Copyable text={requestId} what="the request's id" />
          </p>
        )}
      </EmptyState>
    </div>
  );
}
