"use client";

import { Check, Link2, Printer, Send } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { Button } from "@/components/ui/button";
import { useCopy } from "@/components/ui/hooks/use-copy";
import { later } from "@/components/ui/later";
import type { ReportAbout } from "@/lib/api/hooks/report-hooks";

const SendDialog = later(() => import("./send-report-dialog").then((dialogs) => dialogs.SendReportDialog));

/** A problem or a bulk action as a link, on paper, or as a message to a destination. */
export function ShareReport({ about, prints = true }: { about: ReportAbout; prints?: boolean }) {
  const [sends, setSends] = useState(false);
  return (
    <div className="flex flex-wrap gap-1.5 print:hidden">
      <CopyLink />
      {prints && (
        <Button variant="ghost" onClick={() => window.print()}>
          <Printer aria-hidden className="size-3.5" />
          Print
        </Button>
      )}
      <PermittedButton action="report.send" variant="ghost" onClick={() => setSends(true)}>
        <Send aria-hidden className="size-3.5" />
        Send to…
      </PermittedButton>
      {sends && <SendDialog about={about} onClose={() => setSends(false)} />}
    </div>
  );
}

/** Of the page, without what is open on it. */
function CopyLink() {
  const { copied, copy } = useCopy(() => location.origin + location.pathname);
  const Icon = copied ? Check : Link2;
  return (
    <Button variant="ghost" onClick={copy}>
      <Icon aria-hidden className="size-3.5" />
      <span role="status">{copied ? "Link copied" : "Copy link"}</span>
    </Button>
  );
}
