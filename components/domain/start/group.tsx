import { Children, type ReactNode } from "react";

interface GroupProps {
  title: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
}

/** Fields that belong together, indented under their name. */
export function Group({ title, hint, error, action, children }: GroupProps) {
  const filled = Children.toArray(children).length > 0;
  return (
    <fieldset className="min-w-0">
      <legend className="float-left text-ink-2 text-small leading-6">{title}</legend>
      <div className="flex min-h-6 justify-end gap-2">{action}</div>
      {hint && <p className="text-ink-3 text-small">{hint}</p>}
      {error && <p className="text-red text-small">{error}</p>}
      {filled && <div className="mt-1.5 grid gap-3 border-line border-l-2 pl-3">{children}</div>}
    </fieldset>
  );
}
