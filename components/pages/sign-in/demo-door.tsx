"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { DEMO_PEOPLE, useBeSomebody } from "./demo-people";
import { nextPage } from "./next-page";

/** The demo's sign-in: choose a user, without a password. */
export function DemoDoor() {
  const { be, isBusy, error } = useBeSomebody(() => nextPage(location.search, location.origin));
  return (
    <div className="mb-4 grid gap-2">
      <p className="text-ink-2">Demo, on this machine only. Continue as:</p>
      {DEMO_PEOPLE.map(({ role, words }) => (
        <Button
          key={role}
          variant={role === "operator" ? "primary" : "secondary"}
          disabled={isBusy}
          aria-label={`Continue as ${role}`}
          aria-describedby={`demo-${role}`}
          onClick={() => be(role)}
          className="h-auto flex-col items-start gap-0 whitespace-normal px-3 py-2 text-left md:h-auto md:px-3"
        >
          <span className="first-letter:uppercase">{role}</span>
          <span id={`demo-${role}`} className="font-normal text-small">
            {words}
          </span>
        </Button>
      ))}
      <p className="mt-3 border-line border-t pt-4 text-ink-3 text-small">
        Or with a name and a password, if you were invited.
      </p>
      {error && (
        <Callout tone="red" role="alert">
          {error.message}
        </Callout>
      )}
    </div>
  );
}
