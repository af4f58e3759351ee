import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { inBash } from "../../lib/testing/cli/handrail";
import { cli } from "./setting";

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** Lists what Tab would: the command line so far, and what can follow. */
const FISH = `fish --no-config -c '
  $argv completion fish | source
  complete -C "handrail runs re"; complete -C "handrail runs list --fi"; complete -C "handrail workflows c"' $HANDRAIL`;

/** A terminal within zsh, which completes nowhere else. Its first word is the script of the completion. */
const ZSH = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "autoload -Uz compinit; compinit -u -D; source $1; echo rea''dy"
zpty -r z out '*ready*'
zpty -w -n z $'handrail runs re\\t'
zpty -r z out '*resume*'
print -r -- "$out"
`;

describe("completion (skipped without the shell; as root on Debian `npm test` installs it)", () => {
  it.skipIf(!isThere("fish"))("fish completes commands and options, with what they do", async () => {
    const { out, err } = await inBash(FISH);
    expect(err).toBe("");
    const lines = out
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(lines.map(([word]) => word)).toEqual(["rerun", "resolve", "resume", "--filter", "check"]);
    for (const [, does] of lines) expect(does).toMatch(/\w+ \w+/);
  });

  it.skipIf(!isThere("zsh"))("zsh completes commands, with what they do", async ({ onTestFinished }) => {
    const folder = await mkdtemp(path.join(tmpdir(), "handrail-zsh-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(path.join(folder, "handrail.zsh"), (await cli("completion", "zsh")).out);
    await writeFile(path.join(folder, "tab.zsh"), ZSH);
    const { out, code } = await inBash(`timeout 50 zsh -f ${folder}/tab.zsh ${folder}/handrail.zsh`);
    expect(code).toBe(0);
    for (const listed of [/rerun +-- run again/, /resolve +-- record/, /resume/]) expect(out).toMatch(listed);
    expect(out).not.toContain("cancel");
  });
});
