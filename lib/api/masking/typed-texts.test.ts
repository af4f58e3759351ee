import { expect, it } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints";
import { typedAs } from "./typed-texts";

interface Named {
  owner: string;
  fields: readonly string[];
}

/** Every object of an answer, by its name in the typed texts. */
function objectsOf(schema: z.ZodType, key = "", seen = new Set<z.ZodType>()): Named[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { shape, innerType, element, valueType, options } = schema._zod.def as unknown as {
    shape?: Record<string, z.ZodType>;
    innerType?: z.ZodType;
    element?: z.ZodType;
    valueType?: z.ZodType;
    options?: z.ZodType[];
  };
  const inner = [innerType, element, valueType, ...(options ?? [])].flatMap((one) =>
    one ? objectsOf(one, key, seen) : [],
  );
  const fields = Object.entries(shape ?? {});
  const own = shape ? [{ owner: schema.meta()?.id ?? key, fields: Object.keys(shape) }] : [];
  return [...own, ...inner, ...fields.flatMap(([field, one]) => objectsOf(one, field, seen))];
}

it("an object with all fields of one that has typed texts treats them alike: a schema that extends another loses its name", () => {
  const objects = (Object.values(endpoints) as Endpoint[]).flatMap(({ answer }) => objectsOf(answer));
  const typed = objects.filter(({ owner }) => typedAs(owner));
  expect(typed.length).toBeGreaterThan(5);
  const lost = objects.filter(({ owner, fields }) =>
    typed.some(
      (base) => typedAs(owner) !== typedAs(base.owner) && base.fields.every((field) => fields.includes(field)),
    ),
  );
  expect(lost.map(({ owner, fields }) => `${owner}: ${fields}`)).toEqual([]);
});
