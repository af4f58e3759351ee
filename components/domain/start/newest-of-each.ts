import type { WorkflowView } from "@/lib/api/contract/responses";

/** Each workflow in its newest version, by title. */
export function newestOfEach(workflows: WorkflowView[]): WorkflowView[] {
  const newest = new Map<string, WorkflowView>();
  for (const workflow of workflows)
    if (workflow.version >= (newest.get(workflow.name)?.version ?? 0)) newest.set(workflow.name, workflow);
  return [...newest.values()].sort((a, b) => a.title.localeCompare(b.title));
}
