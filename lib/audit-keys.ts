import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type AuditKeys, newAuditKey, parseAuditKeys } from "./engine/audit/audit-keys";
import { type Env, EnvError } from "./env";

const FILE = "audit-key";
const OTHERS = 0o077;

/**
 * The keys of HANDRAIL_AUDIT_KEY, or the one in the data folder, which is created on first use.
 * @throws EnvError when neither is available, or others may read the file
 */
export function loadAuditKeys({ auditKeys, dataDir }: Pick<Env, "auditKeys" | "dataDir">): AuditKeys {
  if (auditKeys) return auditKeys;
  const file = path.join(dataDir, FILE);
  try {
    return readKeys(file) ?? makeKey(file);
  } catch (error) {
    if (error instanceof EnvError) throw error;
    const because = (error as Error).message;
    throw new EnvError(`The key of the audit can neither be read from ${file} nor kept there (${because}). ${REMEDY}`);
  }
}

const REMEDY = "Set HANDRAIL_AUDIT_KEY, or HANDRAIL_DATA to a folder that this process may write to.";

function readKeys(file: string): AuditKeys | null {
  const { mode } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) return null;
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    throw new EnvError(`Others may read ${file}, the key of the audit. Run: chmod 600 ${file}`);
  const keys = parseAuditKeys(readFileSync(file, "utf8").trim());
  if (!keys) throw new EnvError(`${file} holds no key of the audit. Put it back from a backup. ${REMEDY}`);
  return keys;
}

/** Of several processes that start at once, one creates it: the link never replaces another's. */
function makeKey(file: string): AuditKeys {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${newAuditKey()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readKeys(file) as AuditKeys;
}
