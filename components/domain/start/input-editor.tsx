"use client";

import { ChevronDown } from "lucide-react";
import { FormProvider } from "react-hook-form";
import type { Json } from "@/components/parts/values/value-node";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/form/segmented";
import { TextArea } from "@/components/ui/form/text-field";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import type { InputProblem } from "./check-input";
import { InputControl } from "./input-control";
import { blank } from "./input-field";
import { sampleInput } from "./sample-input";
import type { InputForm } from "./use-input-form";

/** An input as fields or as JSON, one and the same. */
export function InputEditor({ form }: { form: InputForm }) {
  return (
    <FormProvider {...form.form}>
      <div className="flex flex-wrap items-center gap-2">
        {form.formable && (
          <Segmented
            label="How to write the input"
            value={form.mode}
            onChange={form.show}
            options={[
              { value: "form", text: "Form" },
              { value: "json", text: "JSON" },
            ]}
          />
        )}
        {form.root && <FillIn form={form} />}
      </div>
      {form.mode === "form" && form.root ? (
        <InputControl
          key={form.fills}
          schema={form.root}
          root={form.root}
          path="input"
          label="Input"
          required
          depth={0}
        />
      ) : (
        <JsonInput form={form} />
      )}
    </FormProvider>
  );
}

function FillIn({ form: { root, given, fill } }: { form: InputForm }) {
  const examples = root?.examples ?? [];
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost">
          Fill in
          <ChevronDown aria-hidden className="size-3.5" />
        </Button>
      }
    >
      {given !== undefined && (
        <MenuItem note="The input of the original run" onSelect={() => fill(given)}>
          Original
        </MenuItem>
      )}
      {examples.map((example, index) => (
        <MenuItem key={JSON.stringify(example)} note={inShort(example)} onSelect={() => fill(example)}>
          {examples.length > 1 ? `Example ${index + 1}` : "The example"}
        </MenuItem>
      ))}
      <MenuItem note="Sample values in the required shape" onSelect={() => fill(sampleInput(root))}>
        Sample
      </MenuItem>
      <MenuItem note="Defaults only" onSelect={() => fill(root ? blank(root, root) : {})}>
        Defaults
      </MenuItem>
    </Menu>
  );
}

const SHORT = 60;

function inShort(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

function JsonInput({ form: { text, write, textError, problems, form } }: { form: InputForm }) {
  const shown = form.formState.isDirty || form.formState.isSubmitted ? problems : [];
  return (
    <div>
      <TextArea
        label="Input (JSON)"
        mono
        rows={10}
        value={text}
        onChange={({ target }) => write(target.value)}
        error={textError}
      />
      <InputProblems problems={textError ? [] : shown} className="mt-1 text-red text-small" />
    </div>
  );
}

export const InputProblems = ({ problems, className }: { problems: readonly InputProblem[]; className?: string }) => (
  <ul aria-label="Invalid values" className={className}>
    {problems.map(({ path, message }) => (
      <li key={path.join(".")}>
        {path.length > 0 && <span className="font-mono">{path.join(".")}: </span>}
        {message}
      </li>
    ))}
  </ul>
);
