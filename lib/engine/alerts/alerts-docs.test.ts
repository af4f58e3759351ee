import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { blocksOf } from "../../testing/doc-snippets";
import { ALERT_KINDS, defineAlerts } from "./alert-rule";

const page = readFileSync("docs/signals/alerts.md", "utf8");
const runbooks = readFileSync("docs/signals/runbooks.md", "utf8");
const migration = readFileSync("prisma/migrations/20261125043000_alert_rules/migration.sql", "utf8");

it("names every kind, with a runbook", () => {
  for (const kind of ALERT_KINDS) {
    expect(page).toContain(`| \`${kind}\` |`);
    expect(runbooks).toContain(`| \`${kind}\` |`);
  }
});

it("names every rule that is there from the start, with a runbook that exists", () => {
  const names = [...migration.matchAll(/^ {2}\('([a-z-]+)', '/gm)].map(([, name]) => name);
  expect(names).toHaveLength(6);
  for (const name of names) {
    expect(page).toContain(`| \`${name}\` |`);
    const [, anchor = ""] = new RegExp(`\\| \`${name}\` \\|.*\\(#([a-z]+)\\)`).exec(runbooks) ?? [];
    expect(runbooks.toLowerCase()).toContain(`## ${anchor}\n`);
  }
});

it("has an example that defines what it says", () => {
  const [code = ""] = blocksOf("signals/alerts.md", "ts");
  const [, list = ""] = /defineAlerts\((\[.*?\n\])\)/s.exec(code) ?? [];
  const rules = defineAlerts(new Function(`return ${list}`)());
  expect(rules.map(({ name, severity }) => [name, severity])).toEqual([
    ["orders-failing", "critical"],
    ["orders-waiting", "warning"],
  ]);
});
