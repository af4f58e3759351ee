/** How far a fold may go: no open transaction can still commit something before `settled`. */
export interface Settling<Mark> {
  settled: Mark;
  /** The next such mark, and the transactions that have to end before. */
  mark: Mark | null;
  held: string[];
}

/**
 * The transactions that write to the table now. Each holds this lock from before it reads the clock or takes an id until
 * its write is visible; one that is prepared (two-phase commit) appears under another name from then on.
 */
export const writersOf = (table: string): string => `array(
      select distinct virtualtransaction from pg_locks
      where locktype = 'relation' and relation = '"handrail".${table}'::regclass and mode = 'RowExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database()) and pid is distinct from pg_backend_pid()
    )`;

/** Goes as far as possible, given the present mark, read before or with the writers `held`. */
export function settledBy<Mark>(known: Settling<Mark>, mark: Mark, held: string[]): Settling<Mark> {
  if (held.length === 0) return { settled: mark, mark: null, held: [] };
  const isOpen = (writer: string) => known.held.includes(writer) || writer.startsWith("-1/");
  if (known.mark === null) return { ...known, mark, held };
  if (held.some(isOpen)) return known;
  return { settled: known.mark, mark, held };
}
