import { RuleTester } from "eslint";
import { describe, it } from "vitest";
import { typescriptParser } from "../testing/eslint/typescript-parser";
import { rules } from "./eslint";
import { mistakes, type Planted } from "./testing/mistakes";
import { typedMistakes } from "./testing/typed-mistakes";

RuleTester.describe = describe;
RuleTester.it = it;

const WRONG = /\/\/ wrong(?:: (.*))?$/;

/** The lines that are marked, and what the rule has to say there. */
const errorsIn = (code: string) =>
  code.split("\n").flatMap((text, index) => {
    const [marked, words] = WRONG.exec(text) ?? [];
    return marked ? [{ line: index + 1, message: new RegExp(`${words ?? ""}.* See docs/eslint\\.md#`) }] : [];
  });

function test(name: string, tester: RuleTester, planted: Record<string, Planted>): void {
  for (const [rule, { wrong, right }] of Object.entries(planted))
    tester.run(`${rule} ${name}`, rules[rule as keyof typeof rules] as never, {
      invalid: wrong.map((code) => ({ code, errors: errorsIn(code) })),
      valid: right.map((code) => ({ code })),
    });
}

const typescript = new RuleTester({ languageOptions: { parser: typescriptParser } });
test("in JavaScript", new RuleTester(), mistakes);
test("in TypeScript", typescript, mistakes);
test("with types", typescript, typedMistakes);
