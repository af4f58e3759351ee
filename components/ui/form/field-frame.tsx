import { type ReactNode, useId } from "react";

interface FieldFrameProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  /** Spread over the control: ties label, hint and error to it. */
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean | undefined;
  }) => ReactNode;
}

/** Label above, control, then the hint, or the error in its place. */
export function FieldFrame({ label, hint, error, className, children }: FieldFrameProps) {
  const id = useId();
  const note = error ?? hint;
  const noteId = note === undefined ? undefined : `${id}-note`;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-ink-2 text-small">
        {label}
      </label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error === undefined ? undefined : true })}
      {note !== undefined && (
        <p id={noteId} className={error === undefined ? "mt-1 text-ink-3 text-small" : "mt-1 text-red text-small"}>
          {note}
        </p>
      )}
    </div>
  );
}

/** The look shared by everything one types or chooses in. */
export const CONTROL =
  "w-full rounded-md border border-field bg-panel px-2.5 text-ink text-touch placeholder:text-ink-3 aria-invalid:border-red disabled:bg-sunken disabled:text-ink-3 md:text-body";
