export const ndjsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

const EXPORT_FORMATS = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What a file tells is masked as it is on screens: every export takes this. */
export type Masking<Item> = (items: readonly Item[]) => Promise<Item[]>;
