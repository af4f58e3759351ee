import { z } from "zod";
import type { Json } from "@/components/parts/values/value-node";
import { isWithheld } from "@/lib/engine/values/value-path";

export interface InputProblem {
  path: (string | number)[];
  message: string;
}

// Compiling schemas to code is refused by the page's policy.
z.config({ jitless: true });

/** Further problems are not listed. */
const MOST_PROBLEMS = 20;

/**
 * Validates inputs by their JSON Schema; null if the schema uses unsupported features: the server validates in any
 * case.
 */
export function inputChecker(schema: unknown): ((input: Json | undefined) => InputProblem[]) | null {
  try {
    const checks = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    return (input) => {
      const { error } = checks.safeParse(input);
      return error ? firstOfEach(error.issues.flatMap((issue) => problemsOf(issue, input))) : [];
    };
  } catch {
    return null;
  }
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, input: Json | undefined): InputProblem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const value = valueAt(input, path);
  if (value === undefined) return [{ path, message: "Required" }];
  if (isWithheld(value)) return [{ path, message: "Not shown to you: enter a value" }];
  if (issue.code === "invalid_union") {
    const closest = [...issue.errors].sort((a, b) => a.length - b.length)[0] ?? [];
    if (closest.length > 0)
      return closest.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, input));
  }
  return [{ path, message: wordsOf(issue) }];
}

/** The library's own messages, except those that would be unreadable. */
function wordsOf(issue: Issue): string {
  if (issue.code === "invalid_format" && issue.format === "regex") return "Does not match the required format";
  return issue.message.replace(/^Invalid input: /, "").replace(/^./, (first) => first.toUpperCase());
}

function valueAt(input: Json | undefined, path: (string | number)[]): Json | undefined {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, Json | undefined>)[part];
  }
  return value;
}

/** One problem per place: the first is enough. */
function firstOfEach(problems: InputProblem[]): InputProblem[] {
  const byPath = new Map<string, InputProblem>();
  for (const problem of problems) {
    const key = JSON.stringify(problem.path);
    if (!byPath.has(key)) byPath.set(key, problem);
  }
  return [...byPath.values()].slice(0, MOST_PROBLEMS);
}
