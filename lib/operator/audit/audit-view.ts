import type { AuditRow } from "../../store/reads/audit";

export const auditView = ({ id, requestKey: _, ...row }: AuditRow) => ({ id: String(id), ...row });
