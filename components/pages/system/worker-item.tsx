import type { ReactNode } from "react";
import { WORKER_LOOKS } from "@/components/domain/workers/worker-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import type { WorkerView } from "@/lib/api/contract/responses";
import { formatCount } from "@/lib/format";

/** Of the names of a worker's workflows; the rest as a number. */
const MOST_SHOWN = 5;

export function WorkerItem({ worker }: { worker: WorkerView }) {
  const rest = worker.workflows.slice(MOST_SHOWN);
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-t px-4 py-3 first:border-t-0 @[820px]:grid-cols-[minmax(170px,1.2fr)_minmax(140px,1fr)_minmax(0,1.8fr)_minmax(150px,auto)] @[820px]:items-center">
      <div className="min-w-0">
        <p className="truncate font-medium font-mono text-small">{worker.name}</p>
        <p className="flex items-center gap-2">
          <StatusLabel look={WORKER_LOOKS[worker.status]} />
          <span className="text-ink-3">worker {worker.id}</span>
        </p>
        {worker.language && <p className="truncate text-ink-3">{worker.language}, over HTTP</p>}
      </div>
      {worker.status === "stopped" ? (
        <span className="@max-[820px]:hidden" />
      ) : (
        <Load running={worker.running} concurrency={worker.concurrency} />
      )}
      <ul aria-label="Workflows" className="flex min-w-0 flex-wrap gap-1">
        {worker.workflows.slice(0, MOST_SHOWN).map((workflow) => (
          <li
            key={workflow}
            title={workflow}
            className="max-w-full truncate rounded bg-gray-soft px-1.5 text-ink-2 text-small leading-5"
          >
            {workflow}
          </li>
        ))}
        {rest.length > 0 && (
          <li className="px-1 text-ink-3 text-small leading-5" title={rest.join(", ")}>
            and {rest.length} more<span className="sr-only">: {rest.join(", ")}</span>
          </li>
        )}
      </ul>
      <div className="text-ink-3 @[820px]:text-right">
        <LifeSign worker={worker} />
      </div>
    </li>
  );
}

function Load({ running, concurrency }: Pick<WorkerView, "running" | "concurrency">) {
  const share = concurrency === 0 ? 0 : Math.min(1, running / concurrency);
  return (
    <div>
      <p>
        {formatCount(running)} <span className="text-ink-3">of {formatCount(concurrency)} runs at once</span>
      </p>
      <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-gray-soft">
        <span className="block h-full rounded-full bg-blue" style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function LifeSign({ worker }: { worker: WorkerView }) {
  const signs = {
    live: (
      <Line name="heartbeat">
        <Instant at={worker.heartbeatAt} as="relative" />
      </Line>
    ),
    stopping: <p>finishing its runs</p>,
    lost: (
      <Line name="no heartbeat since">
        <Instant at={worker.heartbeatAt} />
      </Line>
    ),
    stopped: (
      <Line name="stopped">
        <Instant at={worker.stoppedAt ?? worker.heartbeatAt} />
      </Line>
    ),
  } satisfies Record<WorkerView["status"], ReactNode>;
  return (
    <>
      {signs[worker.status]}
      {worker.status === "lost" ? (
        <p>{worker.stoppedAt === null ? "its runs are not taken over yet" : "its runs were reassigned"}</p>
      ) : (
        <Line name="started">
          <Instant at={worker.startedAt} />
        </Line>
      )}
    </>
  );
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <p>
    {name} <span className="text-ink-2">{children}</span>
  </p>
);
