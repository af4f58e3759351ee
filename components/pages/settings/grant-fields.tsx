import { WorkflowsField } from "@/components/domain/access/workflows-field";
import { Checkbox } from "@/components/ui/form/checkbox";
import { NativeSelect } from "@/components/ui/form/native-select";
import { ROLES, type Role } from "@/lib/engine/access/permission";

const ROLE_WORDS: Record<Role, string> = {
  viewer: "Viewer: views everything",
  operator: "Operator: also acts on runs, schedules and workflows",
  admin: "Admin: also manages access",
};

export interface GrantText {
  role: Role;
  payloadRead: boolean;
  workflows: string;
}

/** The permissions of a grant. */
export function GrantFields({ value, onChange }: { value: GrantText; onChange: (value: GrantText) => void }) {
  return (
    <>
      <NativeSelect
        label="Role"
        options={ROLES.map((role) => ({ value: role, text: ROLE_WORDS[role] }))}
        value={value.role}
        onChange={({ target }) => onChange({ ...value, role: target.value as Role })}
      />
      <WorkflowsField value={value.workflows} onChange={(workflows) => onChange({ ...value, workflows })} />
      <Checkbox
        checked={value.payloadRead}
        onChange={(payloadRead) => onChange({ ...value, payloadRead })}
        label="Sees masked values"
      />
    </>
  );
}
