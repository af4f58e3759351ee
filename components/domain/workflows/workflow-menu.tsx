"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/overlay/menu";
import { workflowsQuery } from "@/lib/api/hooks/queries";

const ALL = "";

interface WorkflowMenuProps {
  /** Empty for all. A workflow that no worker registers any more can still be chosen by the URL. */
  value: string;
  onChange: (name: string) => void;
}

/** Narrows a list to one workflow. */
export function WorkflowMenu({ value, onChange }: WorkflowMenuProps) {
  const known = useQuery(workflowsQuery()).data?.workflows ?? [];
  const names = [...new Set([...known.map(({ name }) => name), ...(value ? [value] : [])])].sort();
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" aria-label={`Workflow: ${value || "all"}`} className={value ? "text-ink" : ""}>
          <span className="max-w-56 truncate">{value || "All workflows"}</span>
          <ChevronDown aria-hidden className="size-3.5 text-ink-3" />
        </Button>
      }
    >
      <MenuChoice
        label="Workflow"
        value={value}
        options={[{ value: ALL, text: "All workflows" }, ...names.map((name) => ({ value: name, text: name }))]}
        onChange={onChange}
      />
    </Menu>
  );
}
