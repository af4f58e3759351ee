/** A row of the table of import rules. */
export interface Layer {
  path: string;
  /** Paths it may import, its own included only when listed. `<own folder>` is the first folder below `path`. */
  mayImport: string[];
  /** Paths of which it may import the types alone. */
  mayImportTypes?: string[];
  /** Packages it may import; absent: any that no other rule forbids. `node:` is every module of Node's own. */
  packages?: string[];
  /** Packages of which it may import the types alone. */
  packageTypes?: string[];
  why: string;
}

export const OWN_FOLDER = "<own folder>";
