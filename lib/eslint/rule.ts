import { Places } from "./places";
import type { Node, SourceCode } from "./syntax";
import { type Workflows, workflowsOf } from "./workflows";

export interface Finding {
  node: Node;
  /** What is wrong, and what to do. */
  message: string;
}

/** A rule, in the shape that ESLint takes. */
export interface Rule {
  meta: { type: "problem"; docs: { description: string }; schema: [] };
  create(context: never): Record<string, () => void>;
}

interface Context {
  sourceCode: SourceCode;
  report(finding: Finding): void;
}

/** @param name as docs/eslint.md has it */
export function rule(
  name: string,
  description: string,
  find: (workflows: Workflows, places: Places) => Iterable<Finding>,
): Rule {
  return {
    meta: { type: "problem", docs: { description }, schema: [] },
    create: (context: Context) => ({
      Program() {
        const workflows = workflowsOf(context.sourceCode);
        if (workflows.calls.length === 0 && workflows.handlers.size === 0) return;
        for (const { node, message } of find(workflows, new Places(workflows)))
          context.report({ node, message: `${message} See docs/eslint.md#${name}` });
      },
    }),
  } as Rule;
}
