"use client";

import { useState } from "react";

/** A required text; its error appears after the first attempt to submit without it. */
export function useReason(missing: string, first = "") {
  const [text, setText] = useState(first);
  const [tried, setTried] = useState(false);
  const trimmed = text.trim();
  return {
    text: trimmed,
    field: {
      label: "Reason (saved to the audit log)",
      value: text,
      onChange: (event: { target: { value: string } }) => setText(event.target.value),
      required: true,
      error: tried && trimmed === "" ? missing : undefined,
    },
    /** True when it is filled in; from then on a missing one is shown. */
    check: () => {
      setTried(true);
      return trimmed !== "";
    },
  };
}

export const SAY_WHY = "Enter a reason.";
