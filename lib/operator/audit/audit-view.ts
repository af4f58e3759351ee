import type { AuditRow, ListedAuditRow } from "../../store/reads/audit";

export const auditView = ({ id, requestKey: _, named = null, ...row }: AuditRow & Partial<ListedAuditRow>) => ({
  id: String(id),
  named,
  ...row,
});
