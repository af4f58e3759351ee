"use client";

import { toNestErrors } from "@hookform/resolvers";
import { type FormEvent, useMemo, useState } from "react";
import { type FieldErrors, type ResolverOptions, useForm } from "react-hook-form";
import { parseJson } from "@/components/parts/values/parse-json";
import type { Json } from "@/components/parts/values/value-node";
import { isWithheld } from "@/lib/engine/values/value-path";
import type { InputProblem } from "./check-input";
import { blank, fieldOf } from "./input-field";
import { type InputSchema, isSchema } from "./input-schema";

/** `input` is Json or nothing; a type that holds itself is too deep for the form's types of paths. */
export interface InputValues {
  input: unknown;
}

/** Fields for objects and lists; JSON for values that fields do not support, and on request. */
export type InputMode = "form" | "json";

/** Longer than a pause between keystrokes, so that errors do not appear while typing. */
const TOLD_AFTER_MS = 400;

/**
 * The input of one workflow while it is made: checked as one types, and again by the server.
 * @param given what it is made from, such as that of another run; without it, the defaults of the schema
 */
export function useInputForm(schema: unknown, given?: Json) {
  const root = isSchema(schema) ? schema : null;
  const formable = root !== null && fieldOf(root, root).kind === "object";
  const [began] = useState(() => given ?? beginning(root));
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const check = useMemo(() => lazyCheck(schema), [schema]);
  const form = useForm<InputValues>({
    defaultValues: { input: began },
    mode: "onChange",
    shouldFocusError: false, // it goes by the order in which fields were made known, which is not that of the page
    delayError: TOLD_AFTER_MS,
    resolver: async (values, _, options: ResolverOptions<InputValues>) => {
      const found = await check(values.input as Json | undefined);
      setProblems(found);
      return found.length === 0 ? { values, errors: {} } : { values: {}, errors: asErrors(found, options) };
    },
  });
  const [mode, setMode] = useState<InputMode>(formable && !isWithheld(began) ? "form" : "json");
  const [text, setText] = useState(() => asText(began));
  const [fills, setFills] = useState(0);
  const write = (next: string) => {
    setText(next);
    const parsed = parseJson(next);
    if (parsed.ok) form.setValue("input", parsed.value, { shouldDirty: true, shouldValidate: true });
  };
  const parsed = parseJson(text);
  return {
    form,
    root,
    given,
    formable,
    mode,
    text,
    fills,
    write,
    problems,
    textError: mode === "json" && !parsed.ok ? parsed.error : undefined,
    /** For the form's `onSubmit`: hands over an input that fits; otherwise the first field that does not has the focus. */
    submit: (send: (input: Json) => void) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const { currentTarget } = event;
      const fitting = mode === "form" || parsed.ok;
      const checked = fitting ? form.handleSubmit(({ input }) => send((input ?? {}) as Json))() : Promise.resolve();
      void checked.then(() => requestAnimationFrame(() => focusFirstWrong(currentTarget)));
    },
    /** Keeps what was typed so far; text that is not yet JSON stays until it is. */
    show: (next: InputMode) => {
      if (next === "json") setText(asText(form.getValues("input") as Json | undefined));
      else if (!parsed.ok) return;
      setMode(next);
    },
    fill: (input: Json | undefined) => {
      form.reset({ input });
      setText(asText(input));
      setFills((count) => count + 1);
      void check(input).then(setProblems);
    },
  };
}

const focusFirstWrong = (form: HTMLFormElement) => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();

export type InputForm = ReturnType<typeof useInputForm>;

const beginning = (root: InputSchema | null): Json | undefined => (root ? (blank(root, root) ?? {}) : {});

const asText = (input: Json | undefined) => JSON.stringify(input ?? {}, null, 2);

/** Validation is loaded with the first input: it is as large as the rest of the page. */
function lazyCheck(schema: unknown): (input: Json | undefined) => Promise<InputProblem[]> {
  let checker: Promise<((input: Json | undefined) => InputProblem[]) | null> | undefined;
  return async (input) => {
    if (!isSchema(schema)) return [];
    checker ??= import("./check-input").then(({ inputChecker }) => inputChecker(schema));
    // As it would be sent: what is undefined is left out.
    return (await checker)?.(JSON.parse(JSON.stringify(input ?? {})) as Json) ?? [];
  };
}

function asErrors(problems: InputProblem[], options: ResolverOptions<InputValues>): FieldErrors<InputValues> {
  const flat = problems.map(({ path, message }) => [["input", ...path].join("."), { type: "schema", message }]);
  return toNestErrors<InputValues>(Object.fromEntries(flat), options);
}
