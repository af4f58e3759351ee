import { VERDICT_LOOKS } from "@/components/domain/effects/effect-looks";
import type { EffectUrlFilter } from "@/components/domain/effects/effect-url";
import { InstantField } from "@/components/parts/time/instant-field";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { Card } from "@/components/ui/layout/card";
import { EFFECT_VERDICTS } from "@/lib/engine/steps/effect-verdict";

interface EffectFiltersProps {
  url: EffectUrlFilter;
  setUrl: (change: Partial<{ [Key in keyof EffectUrlFilter]: EffectUrlFilter[Key] | null }>) => unknown;
}

const VERDICT_OPTIONS = [
  { value: "", text: "Any" },
  ...EFFECT_VERDICTS.map((value) => ({ value, text: VERDICT_LOOKS[value].word })),
];

/** Each is one field; filters from the runs list (status, attention) stay until they are cleared there. */
export function EffectFilters({ url, setUrl }: EffectFiltersProps) {
  return (
    <Card className="print:hidden">
      <search className="grid grid-cols-2 gap-3 p-4 md:grid-cols-3 min-[1440px]:grid-cols-6">
        <TextField
          label="Workflow"
          value={url.workflow.join(",")}
          onChange={({ target }) => setUrl({ workflow: target.value.split(",").filter(Boolean) })}
        />
        <TextField label="Step" mono value={url.step} onChange={({ target }) => setUrl({ step: target.value })} />
        <TextField label="Run, key or tag" mono value={url.q} onChange={({ target }) => setUrl({ q: target.value })} />
        <NativeSelect
          label="Status"
          options={VERDICT_OPTIONS}
          value={url.verdict[0] ?? ""}
          onChange={({ target }) => setUrl({ verdict: EFFECT_VERDICTS.filter((verdict) => verdict === target.value) })}
        />
        <InstantField label="From" value={url.since} onChange={(since) => setUrl({ since })} />
        <InstantField label="Until" value={url.until} onChange={(until) => setUrl({ until })} />
      </search>
    </Card>
  );
}
