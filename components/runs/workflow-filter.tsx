"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { classNames } from "@/lib/class-names";
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
        <Button
          variant="ghost"
          aria-label={`Workflow: ${chosen || "all"}`}
          className={classNames(
            "max-md:w-11 max-md:px-0",
            chosen && "text-ink max-md:bg-accent-soft max-md:text-accent",
          )}
        >
          <ListFilter aria-hidden className="size-4 md:hidden" />
          <span className="max-w-56 truncate max-md:hidden">{chosen || "All workflows"}</span>
          <ChevronDown aria-hidden className="size-3.5 text-ink-3 max-md:hidden" />
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
