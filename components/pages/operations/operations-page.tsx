"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { useListKeys } from "@/components/parts/keys/use-list-keys";
import { BoardPage } from "@/components/parts/page/board-page";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { later } from "@/components/ui/later";
import { Card } from "@/components/ui/layout/card";
import { operationsQuery } from "@/lib/api/hooks/queries";
import { OperationRow, operationRowId } from "./operation-row";

const OperationPreview = later(() => import("./operation-preview").then((part) => part.OperationPreview));

/** Bulk actions, newest first; the list at left, the selected operation at right. */
export function OperationsPage() {
  const query = useInfiniteQuery(operationsQuery());
  const [selected, select] = useQueryState("operation", parseAsString.withOptions({ history: "replace" }));
  const keys = useListKeys({
    ids: query.data?.map(({ id }) => id) ?? [],
    chosen: selected,
    choose: (id, history = "replace") => select(id, { history }),
    hrefOf: (id) => `/operations/${id}`,
    rowId: operationRowId,
  });
  return (
    <BoardPage
      title="Bulk actions"
      query={query}
      beside={selected && <OperationPreview operationId={selected} onClose={() => void select(null)} />}
    >
      {(operations) =>
        operations.length === 0 ? (
          <Nothing />
        ) : (
          <Card>
            <ul>
              {operations.map((operation) => (
                <OperationRow
                  key={operation.id}
                  operation={operation}
                  selected={operation.id === selected}
                  onClick={onPlainClick((byKey) => (byKey ? keys.open : keys.show)(operation.id))}
                />
              ))}
            </ul>
          </Card>
        )
      }
    </BoardPage>
  );
}

function Nothing() {
  return (
    <EmptyState icon={<ListChecks aria-hidden />} title="No bulk actions yet">
      Filter the <Link href="/runs">runs</Link>, then choose Bulk action. A preview shows the result first.
    </EmptyState>
  );
}
