import { lookOfRun } from "@/components/domain/run/run-looks";
import { businessKeyOf } from "@/components/domain/run/run-words";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { NativeSelect } from "@/components/ui/form/native-select";
import { shortenMiddle } from "@/lib/format";
import { formatInstant } from "@/lib/format/times";
import type { Candidates } from "./use-candidates";

interface OtherRunProps {
  candidates: Candidates;
  chosen: string;
  onChoose: (runId: string) => void;
}

/** Selects the run to compare with: a recent one of the workflow, or the one in the URL. */
export function OtherRun({ candidates, chosen, onChoose }: OtherRunProps) {
  const times = useTimes();
  const named = candidates.recent.some(({ id }) => id === chosen);
  const options = candidates.recent.map((run) => ({
    value: run.id,
    text: [lookOfRun(run).word, businessKeyOf(run) ?? shortenMiddle(run.id), formatInstant(run.createdAt, times)].join(
      " · ",
    ),
  }));
  return (
    <NativeSelect
      label="Compared with"
      className="w-full max-w-[420px] font-normal"
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
      options={named ? options : [{ value: chosen, text: `Run ${shortenMiddle(chosen)}` }, ...options]}
    />
  );
}
