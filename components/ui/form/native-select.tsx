import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/lib/class-names";
import { CONTROL, FieldFrame } from "./field-frame";

interface NativeSelectProps extends ComponentProps<"select"> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  options: { value: string; text: string; disabled?: boolean }[];
}

/** The browser's own list: right on every phone and for every screen reader. */
export function NativeSelect({ label, hint, error, options, className, ...props }: NativeSelectProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className ?? ""}>
      {(control) => (
        <span className="relative block">
          <select {...control} {...props} className={classNames(CONTROL, "h-11 appearance-none pr-8 md:h-8")}>
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
                {option.text}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2.5 size-3.5 text-ink-3"
          />
        </span>
      )}
    </FieldFrame>
  );
}
