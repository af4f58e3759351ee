import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aRun } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { asReadCurl, asStartCurl, shellQuote } from "./as-curl";

/** What a real shell passes to a program named `curl`: its arguments, and its input. */
function heard(script: string): { args: string[]; input: string } {
  const spy = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; case "$*" in *@-*) printf '\\1'; cat;; esac; }`;
  const out = execFileSync("sh", ["-s"], {
    env: { ...process.env, HANDRAIL_TOKEN: "hr_$(id)" },
    encoding: "utf8",
    input: `${spy}\n${script}`,
  });
  const [args = "", input = ""] = out.split("\u0001");
  return { args: args.split("\0").slice(0, -1), input };
}

const bodyOf = ({ args, input }: ReturnType<typeof heard>) =>
  JSON.parse(args.includes("--data-raw") ? (args[args.indexOf("--data-raw") + 1] as string) : input);

describe("a word for the shell", () => {
  it("is unchanged, whatever it contains", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 }).filter((value) => !value.includes("\0"));
    const spiced = fc.array(
      fc.oneof(text, fc.constantFrom("'", '"', "$(id)", "`id`", "\\", "\n", "!!", "~", "*", "@/etc/passwd")),
    );
    fc.assert(
      fc.property(fc.array(spiced, { minLength: 1, maxLength: 8 }), (words) => {
        const given = words.map((parts) => parts.join("").toWellFormed());
        const out = execFileSync("sh", ["-c", `printf '%s\\0' ${given.map(shellQuote).join(" ")}`], {
          encoding: "utf8",
        });
        expect(out.split("\0").slice(0, -1)).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a run as curl", () => {
  it("is started again with its input, its priority and its tags", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (input) => {
        const run = aRun({ input: input as Run["input"], priority: 5, tags: { order: "it's A-1", card: "•••" } });
        const curl = heard(asStartCurl(run, "https://console.example"));
        expect(curl.args).toEqual(
          expect.arrayContaining(["https://console.example/api/v1/runs", "Authorization: Bearer hr_$(id)"]),
        );
        expect(bodyOf(curl)).toEqual(
          JSON.parse(JSON.stringify({ workflow: run.workflow, input, priority: 5, tags: { order: "it's A-1" } })),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("brings an input that is too long for an argument on standard input", () => {
    const input = { text: "'$HOME ü\n".repeat(60_000) };
    expect(bodyOf(heard(asStartCurl(aRun({ input }), "http://localhost:3000"))).input).toEqual(input);
  });

  it("names what is masked instead of telling it", () => {
    const run = aRun({ input: { card: { $type: "masked" }, "to\n": [{ $type: "masked" }] } });
    const text = asStartCurl(run, "http://localhost:3000");
    expect(text.split("\n")[0]).toBe('# Masked here; write it in place of "(masked)": input.card, input.to\\n[0]');
    expect(bodyOf(heard(text)).input).toEqual({ card: "(masked)", "to\n": ["(masked)"] });
  });

  it("is read by its id", () => {
    const run = aRun();
    expect(heard(asReadCurl(run, "http://localhost:3000")).args[1]).toBe(`http://localhost:3000/api/v1/runs/${run.id}`);
  });
});
