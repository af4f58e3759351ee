import { useEffect, useState } from "react";

const SHOWN_MS = 1_600;

/** Copies a text, and says for a moment that it did. */
export function useCopy(text: () => string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return { copied, copy };
}
