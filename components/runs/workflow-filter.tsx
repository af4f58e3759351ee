"use client";

import { ChevronDown } from "lucide-react";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { Button } from "../ui/button";
import { Menu, MenuChoice } from "../ui/menu";
import type { RunUrl } from "./use-run-url";

const ALL = "";

export function WorkflowFilter({ url, setUrl }: Pick<RunUrl, "url" | "setUrl">) {
  const known = useWorkflows().data?.workflows ?? [];
  const names = [...new Set([...known.map(({ name }) => name), ...url.workflow])].sort();
  const chosen = url.workflow.join(", ");
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" className={chosen ? "max-w-56 text-ink" : ""}>
          <span className="truncate">{chosen || "All workflows"}</span>
          <ChevronDown aria-hidden className="size-3.5 text-ink-3" />
        </Button>
      }
    >
      <MenuChoice
        label="Workflow"
        value={url.workflow.length === 1 ? (url.workflow[0] ?? ALL) : ALL}
        options={[{ value: ALL, text: "All workflows" }, ...names.map((name) => ({ value: name, text: name }))]}
        onChange={(name) => setUrl({ workflow: name === ALL ? null : [name] })}
      />
    </Menu>
  );
}
