import { EFFECT_VERDICTS } from "@/lib/engine/effect-verdict";
import { NativeSelect } from "../ui/native-select";
import { TextField } from "../ui/text-field";
import { VERDICT_LOOKS } from "./effect-looks";
import { type EffectUrlFilter, fromField, toField } from "./effect-url";

interface EffectFiltersProps {
  url: EffectUrlFilter;
  setUrl: (change: Partial<{ [Key in keyof EffectUrlFilter]: EffectUrlFilter[Key] | null }>) => unknown;
}

const VERDICT_OPTIONS = [
  { value: "", text: "Any" },
  ...EFFECT_VERDICTS.map((value) => ({ value, text: VERDICT_LOOKS[value].word })),
];

/** Each is one field; what came from the runs list beside them (status, attention) stays until it is cleared there. */
export function EffectFilters({ url, setUrl }: EffectFiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-2.5 md:grid-cols-3 lg:grid-cols-6 print:hidden">
      <TextField
        label="Workflow"
        value={url.workflow.join(",")}
        onChange={({ target }) => setUrl({ workflow: target.value.split(",").filter(Boolean) })}
      />
      <TextField label="Step" mono value={url.step} onChange={({ target }) => setUrl({ step: target.value })} />
      <TextField label="Run, key or tag" mono value={url.q} onChange={({ target }) => setUrl({ q: target.value })} />
      <NativeSelect
        label="Happened"
        options={VERDICT_OPTIONS}
        value={url.verdict[0] ?? ""}
        onChange={({ target }) => setUrl({ verdict: EFFECT_VERDICTS.filter((verdict) => verdict === target.value) })}
      />
      <TextField
        label="From"
        type="datetime-local"
        value={toField(url.since)}
        onChange={({ target }) => setUrl({ since: fromField(target.value) })}
      />
      <TextField
        label="Until"
        type="datetime-local"
        value={toField(url.until)}
        onChange={({ target }) => setUrl({ until: fromField(target.value) })}
      />
    </div>
  );
}
