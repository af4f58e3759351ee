"use client";

import { useState } from "react";

/** A text that must not stay empty; its error appears once somebody tried without. */
export function useReason(missing: string, first = "") {
  const [text, setText] = useState(first);
  const [tried, setTried] = useState(false);
  const trimmed = text.trim();
  return {
    text: trimmed,
    field: {
      value: text,
      onChange: (event: { target: { value: string } }) => setText(event.target.value),
      required: true,
      error: tried && trimmed === "" ? missing : undefined,
    },
    /** True when it is there; from then on its absence is shown. */
    check: () => {
      setTried(true);
      return trimmed !== "";
    },
  };
}

export const SAY_WHY = "Say why, in a few words.";
