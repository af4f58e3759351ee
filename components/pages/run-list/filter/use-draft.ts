"use client";

import { useState } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { type Fault, parseFilter, type Query, type Term } from "@/lib/filters/language";
import { termsOf, withoutTerm, withTerm } from "@/lib/filters/terms";
import type { RunUrl } from "../address/use-run-url";
import { isOfTheLanguage, splitLast } from "./suggest";

/** What is written in the bar. Text is looked for as it is typed; a term is taken out of the field once its word has ended. */
export function useDraft({ url, setUrl }: Pick<RunUrl, "url" | "setUrl">) {
  const { zone } = useTimes();
  const [draft, setDraft] = useState(url.q);
  const [ownQ, setOwnQ] = useState(url.q);
  const [faults, setFaults] = useState<Fault[]>([]);
  // Changed elsewhere: by Clear, by a link, by the way back.
  if (url.q !== ownQ) {
    setOwnQ(url.q);
    setDraft(url.q);
    setFaults([]);
  }

  const take = (query: Query, text: string, next: string) => {
    let changed: Partial<typeof url> = {};
    for (const term of query.terms) changed = { ...changed, ...withTerm({ ...url, ...changed }, term) };
    setDraft(next);
    // Writing an unchanged value would still arrive late, and take the page back from where Enter has led.
    if (text === ownQ && Object.keys(changed).length === 0) return;
    setOwnQ(text);
    void setUrl({ ...changed, q: text || null });
  };

  /** Finished words become terms; the last one may be incomplete. */
  const write = (next: string, { ended = false } = {}) => {
    const { head, word } = ended ? { head: next, word: "" } : splitLast(next);
    const query = parseFilter(head, zone);
    setFaults(query.faults);
    const text = [query.text, isOfTheLanguage(word) ? "" : word].filter(Boolean).join(" ");
    const wrong = query.faults.map(({ written }) => written);
    const left = [query.text, ...wrong].filter(Boolean).join(" ");
    const isPlain = query.terms.length === 0;
    take(query, text, isPlain ? next : [left, word].filter(Boolean).join(" "));
    return query;
  };

  return {
    draft,
    faults,
    word: splitLast(draft).word,
    write,
    /** Takes all that is written for whole words. */
    end: () => write(draft, { ended: true }),
    /** Puts a term in the place of the word that is being written. */
    complete: (term: Term) => {
      const { head } = splitLast(draft);
      const query = parseFilter(head, zone);
      setFaults([]);
      take({ ...query, terms: [...query.terms, term] }, query.text, query.text === "" ? "" : `${query.text} `);
    },
    begin: (text: string) => setDraft(`${splitLast(draft).head}${text}`),
    remove: (term: Term) => void setUrl(withoutTerm(url, term)),
    terms: termsOf(url),
  };
}
export type Draft = ReturnType<typeof useDraft>;
