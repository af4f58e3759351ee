"use client";

import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useCompensations } from "@/lib/api/hooks/read-hooks";
import { plural } from "@/lib/format";
import { BoardPage } from "../shell/board-page";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { groupCompensations } from "./compensation-groups";
import { CompensationItem } from "./compensation-item";

/** What is still to be undone, and by whom. */
export function CompensationsPage() {
  return (
    <BoardPage title="Compensations" query={useCompensations()}>
      {({ compensations }) => <Groups groups={groupCompensations(compensations)} />}
    </BoardPage>
  );
}

function Groups({ groups }: { groups: ReturnType<typeof groupCompensations> }) {
  if (groups.length === 0) return <NothingOwed />;
  return groups.map((group) => (
    <Card
      key={group.id}
      title={group.title}
      note={
        <>
          {plural(group.items.length, "undo", "undos")} <span className="max-md:hidden">· {group.note}</span>
        </>
      }
    >
      <ul>
        {group.items.map((item) => (
          <CompensationItem key={`${item.runId} ${item.step} ${item.generation}`} item={item} />
        ))}
      </ul>
    </Card>
  ));
}

function NothingOwed() {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden className="text-green" />}
      title="Nothing is owed"
      action={
        <Button asChild>
          <Link href="/runs?status=compensated,compensating">Runs that were undone</Link>
        </Button>
      }
    >
      When a run is undone, each effect it had stands here until its undo has an outcome.
    </EmptyState>
  );
}
