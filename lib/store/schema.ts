import { isSchemaName, USUAL_SCHEMA } from "../engine/schema-name";

/*
 * The schema's name is the process's, as its payload keys are: every statement says `handrail`, and gets the name where
 * it is sent. On globalThis, because Next bundles modules separately.
 *
 * In statements and migrations, these mean the schema: `handrail.name` outside of quotes, `"handrail".name` also within
 * them ('"handrail".run'::regclass), the literal 'handrail', `schema handrail`, and the literals of its channels. What
 * begins with 'handrail. in quotes does not: workflows and settings have such names.
 */
const shared = globalThis as { handrailSchema?: string };

let texts = new WeakMap<object, string>();

/** The schema that this process uses from now on. Call it before the first statement. */
export function setSchema(name: string): void {
  if (!isSchemaName(name)) throw new Error(`"${name}" cannot name Handrail's schema.`);
  shared.handrailSchema = name;
  texts = new WeakMap();
}

export const schemaName = (): string => shared.handrailSchema ?? USUAL_SCHEMA;

const QUALIFIED = /"handrail"\.|(?<!['"\w.$])handrail\.(?=["a-z_])/g;
const LITERAL = /'handrail(_work|_change)?'/g;
const WHOLE = /\b(schema (?:if (?:not )?exists )?)handrail\b(?!\.)/gi;

/** SQL as this process sends it. */
export function inSchema(text: string): string {
  const name = schemaName();
  if (name === USUAL_SCHEMA) return text;
  return text
    .replaceAll(QUALIFIED, () => `"${name}".`)
    .replaceAll(LITERAL, (_, channel: string = "") => `'${name}${channel}'`)
    .replaceAll(WHOLE, (_, before: string) => `${before}"${name}"`);
}

/** The same of a statement, whose text is made once. */
export function textOf(statement: { text: string }): string {
  if (schemaName() === USUAL_SCHEMA) return statement.text;
  const made = texts.get(statement) ?? inSchema(statement.text);
  texts.set(statement, made);
  return made;
}
