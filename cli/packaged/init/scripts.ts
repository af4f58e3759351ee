/**
 * The text of a package.json with more scripts: all else stays as it is written, and no script that is there is changed.
 * @returns null if its text cannot be extended without writing it anew
 */
export function withScripts(text: string, scripts: Record<string, string>): string | null {
  const before = JSON.parse(text) as { scripts?: Record<string, string> };
  const added = Object.entries(scripts).filter(([name]) => before.scripts?.[name] === undefined);
  if (added.length === 0) return text;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = added.map(([name, script]) => `${indent}${indent}${JSON.stringify(name)}: ${JSON.stringify(script)}`);
  const block = lines.join(`,${newline}`);
  const after = before.scripts ? intoScripts(text, block, newline, indent) : asScripts(text, block, newline, indent);
  return after !== null && isOnlyExtended(before, after, Object.fromEntries(added)) ? after : null;
}

function intoScripts(text: string, block: string, newline: string, indent: string): string | null {
  const opened = /"scripts"\s*:\s*\{/.exec(text);
  if (!opened) return null;
  const start = opened.index + opened[0].length;
  const end = endOfObject(text, start);
  const inside = text.slice(start, end);
  const kept = inside.trimEnd();
  return `${text.slice(0, start)}${kept}${kept === "" ? "" : ","}${newline}${block}${newline}${indent}${text.slice(end)}`;
}

function asScripts(text: string, block: string, newline: string, indent: string): string {
  const end = text.lastIndexOf("}");
  const kept = text.slice(0, end).trimEnd();
  const scripts = `${indent}"scripts": {${newline}${block}${newline}${indent}}`;
  return `${kept}${kept.endsWith("{") ? "" : ","}${newline}${scripts}${newline}${text.slice(end)}`;
}

/** Of an object whose values are strings. */
function endOfObject(text: string, start: number): number {
  for (let at = start, quoted = false; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') quoted = !quoted;
    else if (text[at] === "}" && !quoted) return at;
  }
  return text.length;
}

function isOnlyExtended(before: { scripts?: object }, after: string, added: object): boolean {
  const wanted = { ...before, scripts: { ...before.scripts, ...added } };
  try {
    return JSON.stringify(sorted(JSON.parse(after))) === JSON.stringify(sorted(wanted));
  } catch {
    return false;
  }
}

const sorted = (object: Record<string, unknown>) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
