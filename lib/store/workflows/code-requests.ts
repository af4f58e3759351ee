import type { Db, Statement } from "../db";
import { opened, sealed } from "../payloads";

/*
 * Requests to the code of workflows, which only workers have. Payloads are in them for the moment until the answer; then the
 * process that asked deletes them, and if it is gone, any worker does.
 */

const LIVE =
  "worker.stopped_at is null and worker.stopping_at is null and worker.lease_expires_at > clock_timestamp() and worker.language is null";

// The asked version, if a live worker has it, else the newest that one has: after a rollback that is not the newest that is registered.
const putStatement: Statement = {
  name: "put-code-requests",
  text: `
    with given as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $5::int[]) as given (id, workflow, request, chosen)
    ), fitting as (
      select workflow, chosen, (select max(version::int) from handrail.worker, jsonb_array_elements_text(versions -> workflow) as version
        where ${LIVE} and (chosen is null or version::int = chosen)) as version
      from (select distinct workflow, chosen from given) as named
    ), put as (
      insert into handrail.code_request (id, workflow, version, request, expires_at)
      select id, given.workflow, version, request, clock_timestamp() + $4::float8 * interval '1 ms'
      from given join fitting on fitting.workflow = given.workflow and fitting.chosen is not distinct from given.chosen
      where version is not null
      returning id
    )
    select id::text, id in (select id from put) as asked,
      array(select version from handrail.workflow where name = given.workflow order by version) as registered
    from given`,
};

export interface CodeRequest {
  id: string;
  workflow: string;
  /** Opened. */
  request: string;
}

export interface GivenRequest extends CodeRequest {
  /** Only the code of this version may answer; null: the newest. */
  version: number | null;
}

export interface PutRequest {
  /** Whether a live worker has that code: otherwise nothing was written. */
  asked: boolean;
  /** The versions that any worker ever had. */
  registered: number[];
}

export async function putCodeRequests(
  db: Db,
  requests: readonly GivenRequest[],
  expireInMs: number,
): Promise<PutRequest[]> {
  const rows = await db.query<PutRequest & { id: string }>(putStatement, [
    requests.map(({ id }) => id),
    requests.map(({ workflow }) => workflow),
    requests.map(({ id, request }) => sealed([id, "input"], request)),
    expireInMs,
    requests.map(({ version }) => version),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map(({ id }) => byId.get(id) as PutRequest);
}

/*
 * Guarantee: of the workers that a note wakes, one gets a request; another gets it once the first has been silent for a while.
 * Races with: itself in other workers, which skip what this one has locked, and the deletion by the asking process. Holds no lock
 * between statements: a worker that freezes keeps no request.
 */
const takeStatement: Statement = {
  name: "take-code-requests",
  text: `
    with expired as (
      delete from handrail.code_request where id in (
        select id from handrail.code_request where expires_at < clock_timestamp() for update skip locked)
    ), chosen as (
      select request.id from handrail.code_request as request
      join unnest($1::text[], $2::int[]) as mine (workflow, version) using (workflow, version)
      where request.answer is null and request.expires_at > clock_timestamp()
        and (request.taken_at is null or request.taken_at < clock_timestamp() - $3::float8 * interval '1 ms')
      order by request.id limit $4::int for update of request skip locked
    )
    update handrail.code_request as request set taken_at = clock_timestamp() from chosen where request.id = chosen.id
    returning request.id::text, request.workflow, request.request`,
};

/** Takes requests to the code of these versions. @param silentMs after which another worker's request is taken again */
export function takeCodeRequests(
  db: Db,
  versions: readonly { name: string; version: number }[],
  { silentMs, limit }: { silentMs: number; limit: number },
): Promise<CodeRequest[]> {
  const columns = [versions.map(({ name }) => name), versions.map(({ version }) => version)];
  return db.query<CodeRequest>(takeStatement, [...columns, silentMs, limit]);
}

/** @throws HandrailError `payload_locked` */
export const openedRequest = ({ id, request }: CodeRequest): string => opened([id, "input"], request);

const answerStatement: Statement = {
  name: "answer-code-requests",
  text: `
    update handrail.code_request as request set answer = given.answer
    from unnest($1::uuid[], $2::text[]) as given (id, answer) where request.id = given.id and request.answer is null`,
};

/** The first answer counts: of two workers, both have computed the same. */
export async function answerCodeRequests(db: Db, answers: readonly { id: string; answer: string }[]): Promise<void> {
  const texts = answers.map(({ id, answer }) => sealed([id, "output"], answer));
  await db.query(answerStatement, [answers.map(({ id }) => id), texts]);
}

const readStatement: Statement = {
  name: "read-code-answers",
  text: `select id::text, answer from handrail.code_request where id = any ($1::uuid[]) and answer is not null`,
};

/** As stored, in the order of the ids; undefined: not answered yet. */
export async function readCodeAnswers(db: Db, ids: readonly string[]): Promise<(string | undefined)[]> {
  const rows = await db.query<{ id: string; answer: string }>(readStatement, [ids]);
  const byId = new Map(rows.map(({ id, answer }) => [id, answer]));
  return ids.map((id) => byId.get(id));
}

/** @throws HandrailError `payload_locked` */
export const openedAnswer = (id: string, answer: string): string => opened([id, "output"], answer);

const withdrawStatement: Statement = {
  name: "withdraw-code-requests",
  text: `delete from handrail.code_request where id = any ($1::uuid[])`,
};

/** Also those that are answered: nothing of them stays. */
export async function withdrawCodeRequests(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(withdrawStatement, [ids]);
}

const declaringStatement: Statement = {
  name: "workflows-declaring-event",
  text: `
    select distinct workflow.name from handrail.workflow join handrail.worker on worker.versions -> workflow.name @> to_jsonb(workflow.version)
    where $1 = any (workflow.events) and workflow.name <> all ($2::text[]) and ($3::text is null or workflow.name = $3) and ${LIVE}
    order by workflow.name`,
};

/** Names of the workflows of live workers that declare an event, but for those whose code is at hand. */
export async function workflowsDeclaring(
  db: Db,
  event: string,
  { but, only }: { but: readonly string[]; only: string | null },
): Promise<string[]> {
  return (await db.query<{ name: string }>(declaringStatement, [event, but, only])).map(({ name }) => name);
}
