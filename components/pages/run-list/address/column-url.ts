import { parseValuePath } from "@/lib/engine/values/value-path";

/** A column of the table, as the user has chosen it. */
export interface ChosenColumn {
  /** One of `run-columns.tsx`, or a path such as `input.customer.tier` or `tags.orderId`. */
  id: string;
  /** In pixels; without it, as wide as the column is made. */
  width?: number;
}

const MIN_WIDTH = 60;
const MAX_WIDTH = 900;
/** More than fit any screen; a URL has to stay short. */
const MAX_COLUMNS = 30;

const WITH_WIDTH = /^(.+):(\d{2,3})$/;

const isTagPath = (id: string) => /^tags\.[^,]{1,64}$/.test(id);

/** Whether a column's id is a path into the run's own values. */
export const isPathColumn = (id: string) => isTagPath(id) || parseValuePath(id) !== null;

/**
 * The columns in the URL, in order: `status,key:220,input.customer.tier`. Null means the usual ones.
 * @param isKnown of the ids that are no paths
 */
export function readColumns(items: readonly string[] | null, isKnown: (id: string) => boolean): ChosenColumn[] | null {
  const columns = new Map<string, ChosenColumn>();
  for (const item of (items ?? []).slice(0, MAX_COLUMNS)) {
    const [, id = item, digits] = WITH_WIDTH.exec(item) ?? [];
    if (columns.has(id) || !(isKnown(id) || isPathColumn(id))) continue;
    columns.set(id, digits === undefined ? { id } : { id, width: clampWidth(Number(digits)) });
  }
  if (columns.size === 0) return null;
  return columns.has(LINK_COLUMN) ? [...columns.values()] : [{ id: LINK_COLUMN }, ...columns.values()];
}

/** Its cell has the link that fills the row: it is always shown. */
export const LINK_COLUMN = "key";

/** The inverse. A path that ends like a width always gets one, so that it is parsed correctly. */
export const writeColumns = (columns: readonly ChosenColumn[]): string[] =>
  columns.map(({ id, width }) => {
    const written = width ?? (WITH_WIDTH.test(id) ? PATH_WIDTH : undefined);
    return written === undefined ? id : `${id}:${clampWidth(written)}`;
  });

/** Of a column made from a path. */
export const PATH_WIDTH = 150;

export const clampWidth = (width: number) => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));

/** What of the runs' values the server is asked to pick: tags come with every run. */
export const pickedPaths = (items: readonly string[] | null): string[] =>
  (readColumns(items, () => false) ?? []).map(({ id }) => id).filter((id) => parseValuePath(id) !== null);
