import { createHash } from "node:crypto";
import { type AuditKeys, parseAuditKeys } from "../engine/audit/audit-keys";

/** The same in every test, with as many bytes as random ones. */
export const keyBytes = (number: number) => createHash("sha256").update(`key ${number}`).digest("base64");

/** HANDRAIL_AUDIT_KEY of every test, so that none creates one in this folder: the current key and an earlier one. */
export const TEST_AUDIT_KEY = `test-2:${keyBytes(2)},test-1:${keyBytes(1)}`;

export const TEST_AUDIT_KEYS = parseAuditKeys(TEST_AUDIT_KEY) as AuditKeys;
