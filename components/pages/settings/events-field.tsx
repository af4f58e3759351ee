import { NOTICES } from "@/components/domain/notifications/notice-words";
import { Checkbox } from "@/components/ui/form/checkbox";

interface EventsFieldProps {
  value: readonly string[];
  onChange: (events: readonly string[]) => void;
  error: string | undefined;
}

/** The events of a destination, in the order in which they are offered. */
export function EventsField({ value, onChange, error }: EventsFieldProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">Notify when</legend>
      {NOTICES.map((notice) => (
        <Checkbox
          key={notice.kind}
          checked={value.includes(notice.kind)}
          onChange={(checked) =>
            onChange(
              NOTICES.map(({ kind }) => kind).filter((kind) => (kind === notice.kind ? checked : value.includes(kind))),
            )
          }
          label={notice.name}
          hint={"hint" in notice ? notice.hint : undefined}
        />
      ))}
      {error && (
        <p role="alert" className="text-red text-small">
          {error}
        </p>
      )}
    </fieldset>
  );
}
