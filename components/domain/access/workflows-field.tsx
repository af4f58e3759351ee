import { TextField } from "@/components/ui/form/text-field";

/** Names separated by commas; empty means all. */
export const workflowsOf = (text: string): string[] | null => {
  const names = text.split(",").map((name) => name.trim());
  const given = names.filter((name) => name !== "");
  return given.length === 0 ? null : given;
};

export const workflowWords = (workflows: readonly string[] | null) =>
  workflows === null ? "every workflow" : `only ${workflows.join(", ")}`;

export function WorkflowsField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label="Only these workflows"
      hint="Names with commas between them; empty for every one. What concerns all workflows is closed then."
      mono
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
