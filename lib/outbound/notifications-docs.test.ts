import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RETRY_DELAYS_MS, signaturesOf } from "../engine/notices/delivery";
import { DEFAULT_PER_MINUTE, NOTICE_KINDS, QUIET_MS } from "../engine/notices/notice";
import { hasPython } from "../testing/workers/python-worker";

const page = readFileSync(new URL("../../docs/notifications.md", import.meta.url), "utf8");
const snippet = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

const SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_plJ3nmyCDGBKInavdOK15jsl9Y4hOxYz"] as const;
const BODY = '{"type":"test","data":{"sentence":"grün – ok"}}';

function headersOf(secrets: readonly string[], at = Math.floor(Date.now() / 1_000)) {
  const id = "0199-id";
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": signaturesOf(secrets, id, at, BODY),
  };
}

/** A receiver's input, and whether it is from us. */
const CASES: [string, boolean, Record<string, string>, string][] = [
  ["a message of ours", true, headersOf([SECRETS[0]]), BODY],
  [
    "one that is signed with two secrets, of which this is the one before",
    true,
    headersOf([SECRETS[1], SECRETS[0]]),
    BODY,
  ],
  ["one of another secret", false, headersOf([SECRETS[1]]), BODY],
  ["one that was changed", false, headersOf([SECRETS[0]]), BODY.replace("ok", "no")],
  ["one under another id", false, { ...headersOf([SECRETS[0]]), "webhook-id": "other" }, BODY],
  ["one of ten minutes ago", false, headersOf([SECRETS[0]], Math.floor(Date.now() / 1_000) - 600), BODY],
  ["one without a signature", false, { ...headersOf([SECRETS[0]]), "webhook-signature": "" }, BODY],
];

describe("the snippet that checks signatures", () => {
  it.each(CASES)("in Node: %s", async (_, expected, headers, body) => {
    const module = await import(`data:text/javascript,${encodeURIComponent(snippet("js"))}`);
    expect(module.isFromHandrail(SECRETS[0], headers, body)).toBe(expected);
  });

  it.skipIf(!hasPython).each(CASES)("in Python: %s", (_, expected, headers, body) => {
    const code = `${snippet("python")}\nimport json, sys\ngiven = json.load(sys.stdin)\nprint(is_from_handrail(*given))`;
    const input = JSON.stringify([SECRETS[0], headers, body]);
    const { stdout, stderr } = spawnSync("python3", ["-c", code], { input, encoding: "utf8" });
    expect(stdout.trim(), stderr).toBe(expected ? "True" : "False");
  });
});

it("signs as Standard Webhooks' own libraries do", () => {
  const signature = signaturesOf([SECRETS[0]], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, '{"test": 2432232314}');
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

it("lists every event, and the numbers as they are", () => {
  for (const kind of NOTICE_KINDS) expect(page).toContain(`| \`${kind}\` |`);
  const words = RETRY_DELAYS_MS.map((ms) => [ms >= 3_600_000, ms >= 60_000].map(Boolean)).map(
    ([hours, minutes], place) => {
      const ms = RETRY_DELAYS_MS[place] as number;
      if (hours) return `${ms / 3_600_000} h`;
      return minutes ? `${ms / 60_000} min` : `${ms / 1_000} s`;
    },
  );
  expect(page).toContain(`${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
  expect(page).toContain(`(${DEFAULT_PER_MINUTE} unless you choose)`);
  expect(page).toContain(`quiet** for ${QUIET_MS / 60_000} minutes`);
});
