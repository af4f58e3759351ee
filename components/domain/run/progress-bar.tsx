import type { Run } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { formatNumber } from "@/lib/format/numbers";

/** How far a run says it has come. The bar's length is the share; its words say the rest. */
export function ProgressBar({ progress, className }: { progress: NonNullable<Run["progress"]>; className?: string }) {
  const { done, total } = progress;
  const text = progressText(progress);
  return (
    <span
      role="progressbar"
      data-drawn
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={text}
      title={text}
      className={classNames("block h-[5px] overflow-hidden rounded-full bg-gray-soft", className)}
    >
      <span
        className={classNames("block h-full rounded-full", done < total ? "bg-accent" : "bg-green opacity-75")}
        style={{ width: `${(done / total) * 100}%` }}
      />
    </span>
  );
}

/** Such as "3 of 12 users". */
export function progressText({ done, total, note }: NonNullable<Run["progress"]>): string {
  return `${formatNumber(done, 1)} of ${formatNumber(total, 1)}${note ? ` ${note}` : ""}`;
}
