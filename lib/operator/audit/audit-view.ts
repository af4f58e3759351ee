import type { AuditRow, ListedAuditRow } from "../../store/reads/audit";

export const auditView = ({ id, requestKey: _, ...row }: AuditRow & Partial<ListedAuditRow>) => ({
  id: String(id),
  ...row,
});
