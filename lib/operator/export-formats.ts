export const ndjsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

const EXPORT_FORMATS = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Every export takes this: values in a file are masked as they are on screens. */
export type Masking<Item> = (items: readonly Item[]) => Promise<Item[]>;
