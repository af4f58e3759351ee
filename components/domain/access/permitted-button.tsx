"use client";

import { Button, type ButtonProps } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/overlay/tooltip";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import type { Action } from "@/lib/engine/access/permission";

interface PermittedButtonProps extends ButtonProps {
  /** The required permission, by the rule that the server enforces. */
  action: Action;
  workflow?: string;
}

/** A button that stays focusable when the user lacks the permission, so that they can read why. */
export function PermittedButton({ action, workflow, onClick, ...props }: PermittedButtonProps) {
  const because = useWhyNot(action, workflow);
  if (because === null) return <Button onClick={onClick} {...props} />;
  return (
    <Tooltip text={because}>
      <Button {...props} variant="secondary" aria-disabled />
    </Tooltip>
  );
}
