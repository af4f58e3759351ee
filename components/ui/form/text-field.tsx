import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/lib/class-names";
import { CONTROL, FieldFrame } from "./field-frame";

interface Framed {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  mono?: boolean;
}

export function TextField({ label, hint, error, mono = false, className, ...props }: Framed & ComponentProps<"input">) {
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...control}
          {...props}
          className={classNames(CONTROL, "h-11 md:h-8", mono && "font-mono md:text-small")}
        />
      )}
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  mono = false,
  className,
  rows = 2,
  ...props
}: Framed & ComponentProps<"textarea">) {
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => (
        <textarea
          {...control}
          {...props}
          rows={rows}
          spellCheck={!mono}
          className={classNames(CONTROL, "block resize-y py-1.5", mono && "font-mono md:text-small")}
        />
      )}
    </FieldFrame>
  );
}
