import { TextField } from "@/components/ui/form/text-field";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { plural } from "@/lib/format";
import { MAX_PACE, wholeNumber } from "./plan-words";

/** As typed. */
interface Pace {
  rate: string;
  canary: string;
}

/** The parameters of an execution; null while one of them is no whole number in its range. */
export function paceOf({ rate, canary }: Pace): { ratePerSecond: number; canary: number } | null {
  const ratePerSecond = wholeNumber(rate, 1, MAX_PACE.ratePerSecond);
  const first = wholeNumber(canary, 0, MAX_PACE.canary);
  return ratePerSecond === null || first === null ? null : { ratePerSecond, canary: first };
}

/** The rate, and the canary size. The defaults are in the summary, so most users need not open it. */
export function PaceFields({ pace, onChange }: { pace: Pace; onChange: (pace: Pace) => void }) {
  const chosen = paceOf(pace);
  return (
    <Disclosure summary={chosen ? paceText(chosen) : "Rate"}>
      <div className="grid gap-3 pt-2 sm:grid-cols-2">
        <TextField
          label="Canary: runs first"
          inputMode="numeric"
          value={pace.canary}
          onChange={({ target }) => onChange({ ...pace, canary: target.value })}
          error={wholeNumber(pace.canary, 0, MAX_PACE.canary) === null ? "A whole number from 0 to 1,000." : undefined}
          hint="0: none."
        />
        <TextField
          label="Runs per second"
          inputMode="numeric"
          value={pace.rate}
          onChange={({ target }) => onChange({ ...pace, rate: target.value })}
          error={
            wholeNumber(pace.rate, 1, MAX_PACE.ratePerSecond) === null ? "A whole number from 1 to 1,000." : undefined
          }
          hint="Can be changed while running."
        />
      </div>
    </Disclosure>
  );
}

const paceText = ({ ratePerSecond, canary }: { ratePerSecond: number; canary: number }) =>
  `${canary === 0 ? "" : `Canary: ${plural(canary, "run")}, then `}${ratePerSecond}/s. Pauses automatically if too many fail.`;
