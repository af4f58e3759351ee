"use client";

import { TAB_MARK } from "@/components/parts/page/tab-state";
import { useNow } from "@/components/parts/time/use-now";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { formatInstant, formatUtc } from "@/lib/format/times";

/** Print only: the page's subject, when it was printed and by whom, and its URL. */
export function PrintHead() {
  const now = useNow();
  const times = useTimes();
  const who = useMe().data?.name;
  if (now === null) return null;
  const at = new Date(now).toISOString();
  return (
    <div className="hidden border-line-strong border-b px-4 pb-2 text-small print:block">
      <p className="font-semibold text-title">{document.title.replace(TAB_MARK, "")}</p>
      <p>
        Printed {formatInstant(at, times)} ({formatUtc(at)}){who !== undefined && ` by ${who}`}
      </p>
      <p className="break-all font-mono">{location.href}</p>
    </div>
  );
}
