"use client";

import {
  FAULT_MODES,
  type Fault,
  type FaultMode,
  SERVICES,
  type Service,
} from "@/components/domain/sandbox/sandbox-answers";
import { useFaults, useSetFault } from "@/components/domain/sandbox/use-sandbox";
import { tellRefusal } from "@/components/parts/toasts/tell";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Segmented } from "@/components/ui/form/segmented";
import { Card } from "@/components/ui/layout/card";

const NAMES = {
  payments: "Payment gateway",
  mail: "Mailbox",
  blobs: "Blob store",
  users: "User directory",
  webhooks: "Webhook receiver",
} as const satisfies Record<Service, string>;

const MODES = {
  none: { text: "Works", means: "All requests succeed." },
  down: { text: "Down", means: "All requests are rejected." },
  slow: { text: "Slow", means: "Responses take three seconds." },
  flaky: { text: "Flaky", means: "Every other request is rejected." },
  "lose-answer": { text: "Loses responses", means: "The request is processed, but the response is lost." },
} as const satisfies Record<FaultMode, { text: string; means: string }>;

const PARTS = [
  { value: "all", text: "all" },
  { value: "charges", text: "charges" },
  { value: "refunds", text: "refunds" },
] as const;

/** The faults of the sandbox; one switch makes an outage. */
export function FaultSwitches() {
  const { data } = useFaults();
  return (
    <Card title="Services" note="Simulated services">
      <ul className="px-4 pb-1.5">
        {SERVICES.map((service) => (
          <li key={service} className="border-line border-t py-3 first:border-t-0">
            {data ? <ServiceSwitch service={service} fault={data[service]} /> : <Skeleton className="h-8 w-full" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ServiceSwitch({ service, fault }: { service: Service; fault: Fault }) {
  const setFault = useSetFault();
  const change = (next: Fault) => setFault.mutate({ service, fault: next }, { onError: (error) => tellRefusal(error) });
  return (
    <div className="grid items-center gap-x-4 gap-y-2 lg:grid-cols-[132px_auto_minmax(0,1fr)]">
      <p className="font-medium">{NAMES[service]}</p>
      <Segmented
        label={`${NAMES[service]}: fault`}
        value={fault.mode}
        onChange={(mode) => change(mode === "none" ? { mode } : { mode, ...(fault.only && { only: fault.only }) })}
        options={FAULT_MODES.map((mode) => ({
          value: mode,
          text: MODES[mode].text,
          tone: mode === "none" ? ("normal" as const) : ("trouble" as const),
        }))}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-3">
        {service === "payments" && fault.mode !== "none" && (
          <Segmented
            label="Part of the gateway"
            value={fault.only ?? "all"}
            onChange={(part) => change({ mode: fault.mode, ...(part !== "all" && { only: part }) })}
            options={[...PARTS]}
          />
        )}
        <span>
          {MODES[fault.mode].means}
          {fault.times !== undefined && ` For ${fault.times} more.`}
        </span>
      </div>
    </div>
  );
}
