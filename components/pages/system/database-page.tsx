"use client";

import { useQuery } from "@tanstack/react-query";
import { DatabaseCard } from "@/components/domain/database/database-card";
import { BoardPage } from "@/components/parts/page/board-page";
import { databaseQuery } from "@/lib/api/hooks/queries";

/** The health of PostgreSQL, and what to do about what is not well. */
export function DatabasePage() {
  return (
    <BoardPage title="Database" query={useQuery(databaseQuery())}>
      {(data) => <DatabaseCard data={data} />}
    </BoardPage>
  );
}
