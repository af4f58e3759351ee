import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "@/lib/class-names";

interface TickProps extends Omit<ComponentProps<"input">, "type" | "checked" | "onChange" | "onToggle"> {
  /** `some`: of the items that it covers. */
  checked: boolean | "some";
  /** `extend`: with the shift key held. */
  onToggle: (extend: boolean) => void;
  /** How large the box is that is seen; what can be pressed is as large as what is around it. */
  box: string;
}

/** A checkbox of the browser, drawn by us. */
export function Tick({ checked, onToggle, box, className, ...input }: TickProps) {
  const Sign = checked === "some" ? Minus : Check;
  return (
    <span className={classNames("relative grid place-items-center", className)}>
      <input
        type="checkbox"
        ref={(field) => {
          if (field) field.indeterminate = checked === "some";
        }}
        checked={checked === true}
        onChange={({ nativeEvent }) => onToggle("shiftKey" in nativeEvent && nativeEvent.shiftKey === true)}
        className="absolute inset-0 z-[1] cursor-pointer appearance-none rounded"
        {...input}
      />
      <span
        className={classNames(
          "grid place-items-center rounded border border-field bg-panel",
          checked && "border-accent bg-accent",
          box,
        )}
      >
        {checked && <Sign aria-hidden className="size-3/4 text-on-accent" strokeWidth={3} />}
      </span>
    </span>
  );
}
