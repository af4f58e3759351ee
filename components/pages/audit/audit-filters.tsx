"use client";

import { useQuery } from "@tanstack/react-query";
import { ACT_OPTIONS } from "@/components/domain/audit/act-words";
import { FilterCard } from "@/components/parts/page/filter-card";
import { InstantField } from "@/components/parts/time/instant-field";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import type { AuditUrl } from "./audit-url";

interface AuditFiltersProps {
  url: AuditUrl;
  setUrl: (change: Partial<{ [Name in keyof AuditUrl]: AuditUrl[Name] | null }>) => void;
}

/** The filters are in the URL, so that a result can be shared. */
export function AuditFilters({ url, setUrl }: AuditFiltersProps) {
  const known = useQuery(workflowsQuery()).data?.workflows ?? [];
  const workflows = [...new Set([...known.map(({ name }) => name), ...(url.workflow ? [url.workflow] : [])])].sort();
  const text = (name: "actor" | "run") => ({
    value: url[name],
    onChange: (event: { target: { value: string } }) => setUrl({ [name]: event.target.value || null }),
  });
  return (
    <FilterCard set={Object.values(url).filter(Boolean).length} className="md:grid-cols-4">
      <TextField label="User" placeholder="Anyone" {...text("actor")} />
      <NativeSelect
        label="Action"
        value={url.act}
        options={[{ value: "", text: "All actions" }, ...ACT_OPTIONS]}
        onChange={(event) => setUrl({ act: event.target.value || null })}
      />
      <NativeSelect
        label="Result"
        value={url.result ?? ""}
        options={[
          { value: "", text: "All results" },
          { value: "done", text: "Done" },
          { value: "refused", text: "Refused" },
        ]}
        onChange={(event) => setUrl({ result: (event.target.value || null) as AuditUrl["result"] })}
      />
      <NativeSelect
        label="Workflow"
        value={url.workflow}
        options={[{ value: "", text: "All workflows" }, ...workflows.map((name) => ({ value: name, text: name }))]}
        onChange={(event) => setUrl({ workflow: event.target.value || null })}
      />
      <TextField label="Run" placeholder="Run id" mono className="max-md:col-span-2" {...text("run")} />
      <InstantField label="From" value={url.since} onChange={(since) => setUrl({ since })} />
      <InstantField label="Until" value={url.until} onChange={(until) => setUrl({ until })} />
    </FilterCard>
  );
}
