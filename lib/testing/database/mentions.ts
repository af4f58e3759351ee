import type { Db } from "../../store/db";

/** Tables with the text anywhere in a row. */
export async function mentions(db: Db, text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    {
      name: "",
      text: "select table_name as name from information_schema.tables where table_schema = 'handrail' and table_type = 'BASE TABLE'",
    },
    [],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const count = `select count(*)::int as n from handrail."${name}" as row where row::text like '%' || $1 || '%'`;
    const [row] = await db.query<{ n: number }>({ name: "", text: count }, [text]);
    if (row && row.n > 0) found.push(name);
  }
  return found.sort();
}
