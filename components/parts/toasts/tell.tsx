"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { ExternalToast } from "sonner";
import { Copyable } from "@/components/ui/text/copyable";
import { ApiError } from "@/lib/api/client/client";

/** The thing that something happened to: what people call it, and its page. */
export interface Thing {
  name: string;
  href: string;
}

export interface Telling {
  about?: Thing;
  description?: ReactNode;
  /**
   * Reverts it, as a separate action. Only for reversible changes: nothing that has left the system can be taken back.
   */
  undo?: (() => void) | undefined;
  /** Another next step, in place of Undo. */
  next?: { label: string; act: () => void };
}

/** Long enough to read it and to decide; a toast that is pointed at or has the focus stays. */
const READ_MS = 5_000;
const DECIDE_MS = 10_000;

// Loaded with the first toast: no page needs it to be drawn.
const sonner = () => import("sonner");

/** Reports the outcome of an action, with the thing's name. Announced politely, once. */
export function tell(title: string, telling: Telling = {}): void {
  void sonner().then(({ toast }) => toast.success(title, optionsOf(telling, READ_MS)));
}

/** The same for an action with an outcome other than the requested one. */
export function tellOtherwise(title: string, telling: Telling = {}): void {
  void sonner().then(({ toast }) => toast.warning(title, optionsOf(telling, DECIDE_MS)));
}

function optionsOf({ about, description, undo, next }: Telling, readMs: number): ExternalToast {
  const action = undo ? { label: "Undo", onClick: undo } : next && { label: next.label, onClick: next.act };
  return {
    description: <Description about={about}>{description}</Description>,
    duration: action ? DECIDE_MS : readMs,
    ...(action && { action }),
  };
}

/** Why an action without a window was not done; with the request's id, by which it is found in the server's log. */
export function tellRefusal(error: Error, about?: Thing): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const shown = requestId && (
    <span className="flex items-center gap-1">
      Request <Copyable text={requestId} what="the request's id" />
    </span>
  );
  const telling = { ...(about && { about }), description: shown };
  void sonner().then(({ toast }) => toast.error(error.message, optionsOf(telling, DECIDE_MS)));
}

function Description({ about, children }: { about: Thing | undefined; children?: ReactNode }) {
  if (!about && !children) return null;
  return (
    <>
      {about && (location.pathname === about.href ? about.name : <ThingLink {...about} />)}
      {about && children && typeof children === "string" && " · "}
      {children}
    </>
  );
}

const ThingLink = ({ name, href }: Thing) => (
  <Link href={href} className="font-medium text-accent underline">
    {name}
  </Link>
);
