import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isSchemaName, USUAL_SCHEMA } from "../engine/schema-name";
import { inSchema, schemaName, setSchema, textOf } from "./schema";

afterEach(() => setSchema(USUAL_SCHEMA));

describe("a schema's name", () => {
  it.each(["handrail", "Work flows", "_w", "a-b-2", "x".repeat(50)])("may be %j", (name) => {
    expect(isSchemaName(name)).toBe(true);
  });
  it.each([
    "",
    "1st",
    "public",
    "pg_temp",
    "information_schema",
    "demo",
    'a"b',
    "a'b",
    "a.b",
    "a\\b",
    "x".repeat(51),
    "é",
  ])("may not be %j", (name) => {
    expect(isSchemaName(name)).toBe(false);
    expect(() => setSchema(name)).toThrow("cannot name");
  });
});

describe("SQL in another schema", () => {
  it.each([
    ["select handrail.new_id() from handrail.run", 'select "Work flows".new_id() from "Work flows".run'],
    ['update handrail."run"', 'update "Work flows"."run"'],
    ['"handrail"."run"', '"Work flows"."run"'],
    [`'"handrail".run'::regclass`, `'"Work flows".run'::regclass`],
    ["where schemaname = 'handrail'", "where schemaname = 'Work flows'"],
    ["create schema if not exists handrail;", 'create schema if not exists "Work flows";'],
    ["drop schema handrail cascade", 'drop schema "Work flows" cascade'],
    ["pg_notify('handrail_work', '')", "pg_notify('Work flows_work', '')"],
  ])("%s", (usual, other) => {
    expect(inSchema(usual)).toBe(usual);
    setSchema("Work flows");
    expect(inSchema(usual)).toBe(other);
    expect(inSchema(other)).toBe(other);
  });

  it.each([
    "name not like 'handrail.%'",
    "workflow = 'handrail.operation'",
    "current_setting('handrail.notes', true)",
    "my_handrail.run",
    "-- handrail: online",
    "raise exception 'handrail.% is append-only'",
  ])("leaves %s", (text) => {
    setSchema("Work flows");
    expect(inSchema(text)).toBe(text);
  });

  it("makes a statement's text once, until the schema is another", () => {
    const statement = { text: "select from handrail.run" };
    expect(textOf(statement)).toBe(statement.text);
    setSchema("a");
    expect(textOf(statement)).toBe('select from "a".run');
    setSchema("b");
    expect(textOf(statement)).toBe('select from "b".run');
    expect(schemaName()).toBe("b");
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.(ts|sql)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Names in quotes that are no tables: workflows, settings, files. */
const OTHERS = ["'handrail.notes'", "'handrail.sessions'", "'handrail.operation'", "'handrail.delivery'"];

it("no statement and no migration names a table in single quotes alone, which would not be found in another schema", () => {
  const wrong = [...filesIn("lib/store"), ...filesIn("prisma/migrations"), ...filesIn("lib/testkit")].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/'handrail\.[a-z_]+'?/g)]
      .map(([found]) => `${file}: ${found}`)
      .filter((found) => !OTHERS.some((other) => found.endsWith(other))),
  );
  expect(wrong).toEqual([]);
});
