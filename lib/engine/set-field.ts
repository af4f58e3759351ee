/** Defines a field as `JSON.parse` does: "__proto__" is a key like any other. */
export function setField(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(fields, key, { value, configurable: true, enumerable: true, writable: true });
  else fields[key] = value;
}
