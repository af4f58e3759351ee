import { type AuditKeys, parseAuditKeys } from "../engine/audit-keys";

/** HANDRAIL_AUDIT_KEY of every test, so that none makes one in this folder: the current key and an earlier one. */
export const TEST_AUDIT_KEY = `test-2:${Buffer.alloc(32, 2).toString("base64")},test-1:${Buffer.alloc(32, 1).toString("base64")}`;

export const TEST_AUDIT_KEYS = parseAuditKeys(TEST_AUDIT_KEY) as AuditKeys;
