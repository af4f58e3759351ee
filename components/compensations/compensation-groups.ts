import type { OwedCompensation } from "@/lib/api/contract/responses";

export interface CompensationGroup {
  id: "by_hand" | "failed" | "under_way";
  title: string;
  note: string;
  items: OwedCompensation[];
}

/** The open undos by who has to move, a person first; within a group the longest owed first. */
export function groupCompensations(open: OwedCompensation[]): CompensationGroup[] {
  const groupOf = ({ compensation }: OwedCompensation): CompensationGroup["id"] => {
    if (compensation.status === "failed") return "failed";
    return compensation.mode === "manual" ? "by_hand" : "under_way";
  };
  const owedAt = ({ compensation }: OwedCompensation) => compensation.owedAt ?? "";
  const of = (id: CompensationGroup["id"]) =>
    open.filter((item) => groupOf(item) === id).sort((a, b) => owedAt(a).localeCompare(owedAt(b)));
  const groups: CompensationGroup[] = [
    { id: "failed", title: "Failed", note: "the code tried to undo it and could not", items: of("failed") },
    { id: "by_hand", title: "By hand", note: "only a person can undo it", items: of("by_hand") },
    { id: "under_way", title: "Under way", note: "undone by the code, each in its turn", items: of("under_way") },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
