import { describe, expect, it } from "vitest";
import { handrail, inBash } from "../../lib/testing/cli/handrail";
import { cli, siteEnv } from "./setting";

describe("the program", () => {
  it("wrong words get a suggestion, and no answer has its own exit code", async () => {
    const token = "hr_secret-of-the-tests";
    const [word, nested, option, nobody, warned, help] = await Promise.all([
      cli("rnus"),
      cli("runs", "lst"),
      cli("runs", "list", "--fliter", "x"),
      handrail(["runs", "list", "--json"], { env: { HANDRAIL_URL: "http://127.0.0.1:1", HANDRAIL_TOKEN: token } }),
      cli("runs", "list", "--token", token),
      cli("--help"),
    ]);
    expect([word, nested, option].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(word.err).toContain("Did you mean runs?");
    expect(nested.err).toContain("Did you mean list?");
    expect(option.err).toContain("Did you mean --filter?");
    expect(nobody).toMatchObject({ code: 4, out: "" });
    expect(JSON.parse(nobody.err).error.code).toBe("unreachable");
    expect(warned.err).toContain("HANDRAIL_TOKEN");
    expect(nobody.err + warned.err + warned.out).not.toContain(token);
    expect(help).toMatchObject({ code: 0, err: "" });
  });

  it("a broken pipe ends quietly", async () => {
    const { out, err } = await inBash(`$HANDRAIL runs list --limit 200 | head -1; echo \${PIPESTATUS[0]}`, {
      env: siteEnv(),
    });
    expect(out).toMatch(/^ID .*\n0\n$/);
    expect(err).toBe("");
  });

  it("bash completes commands and options", async () => {
    const completed = (words: string, at: number) =>
      `COMP_WORDS=(${words}); COMP_CWORD=${at}; _handrail; echo "\${COMPREPLY[@]}"`;
    const lines = [
      completed("handrail runs re", 2),
      completed("handrail runs list --fi", 3),
      completed("handrail workflows c", 2),
    ];
    const { out } = await inBash(`source <($HANDRAIL completion bash); ${lines.join("; ")}`);
    expect(out).toBe("rerun resume resolve\n--filter\ncheck\n");
    const [zsh, fish] = await Promise.all([cli("completion", "zsh"), cli("completion", "fish")]);
    expect(zsh.out).toContain("'runs list'");
    expect(fish.out).toContain(`-n "__handrail_at 'runs'" -f -a list`);
  });
});
