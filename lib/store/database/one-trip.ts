import pg from "pg";
import { sqlState } from "../db";
import { idStatement, type LaterId } from "./transaction-id";

/*
 * A prepared statement is several messages, and an answer is asked for behind the last of them. PostgreSQL skips what is left when one
 * fails. So `begin` before a statement, and `commit` behind one, need no round trip of their own: what follows a failed `begin` is not
 * executed outside of the transaction, and a transaction whose last statement fails does not commit.
 */

/** Messages of the protocol, as pg sends them for its own queries. */
interface Connection {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(what: object): void;
  bind(what: object): void;
  execute(how: object): void;
}

type Result = pg.QueryResult & pg.QueryResult[];

/** What pg calls as the answers to a query arrive. */
interface Query {
  text?: unknown;
  name?: string;
  values?: unknown;
  rows?: unknown;
  callback?: (error: Error | null, result: Result) => void;
  submit(connection: Connection): unknown;
  handleDataRow(message: { fields: string[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

const queryOf = (...given: unknown[]) => Reflect.construct(pg.Query, given) as Query;

const send = (client: pg.Client, query: Query, by: unknown = client.query) =>
  new Promise<Result>((resolve, reject) => {
    query.callback = (error, result) => (error ? reject(error) : resolve(result));
    Reflect.apply(by as typeof client.query, client, [query]);
  });

function say(connection: Connection, text: string): void {
  connection.parse({ text });
  connection.bind({});
  connection.execute({});
}

/** The last statement of a transaction, and its commit, with a result for each. */
export function withCommit(client: pg.Client, statement: pg.QueryConfig): Promise<pg.QueryResult[]> {
  const query = queryOf({ ...statement, queryMode: "extended" });
  const submit = query.submit.bind(query);
  query.submit = (connection) => {
    const execute = (how: object) => {
      connection.execute(how);
      say(connection, "commit");
    };
    return submit(Object.create(connection, { execute: { value: execute } }));
  };
  return send(client, query);
}

/**
 * Begins a transaction with the first statement that the client is given, whoever gives it: in one round trip, or `begin` is sent
 * before it. Until `over` is called. `failure`: why it could not begin.
 */
export function beginLater(client: pg.Client): LaterId & { failure(): unknown; over(): void } {
  const { query: ask } = client;
  const isOwn = Object.hasOwn(client, "query");
  let id: string | undefined;
  let beginning: Promise<Result> | undefined;
  let failure: unknown;
  let isOver = false;
  // Nothing stays behind, nor is anything undone that the body has put around it.
  const restore = () => {
    if (client.query !== (first as typeof client.query)) return;
    if (isOwn) client.query = ask;
    else Reflect.deleteProperty(client, "query");
  };
  const beginWith = (query: Query) => {
    restore();
    beginning = send(
      client,
      withBegin(client, query, (known) => (id = known)),
      ask,
    );
    beginning.catch((error: unknown) => {
      if (id === undefined) failure = error;
    });
    return beginning;
  };
  const begin = () => beginning ?? beginWith(queryOf({ text: "select", queryMode: "extended" }));
  const first = (...given: unknown[]) => {
    if (beginning || isOver) return Reflect.apply(ask, client, given);
    const query = carrier(client, given);
    if (query) return beginWith(query).catch(withStackOfCaller);
    const begun = begin();
    begun.catch(() => undefined);
    const answer: unknown = Reflect.apply(ask, client, given);
    return answer instanceof Promise ? answer.catch((error) => begun.then(() => Promise.reject(error))) : answer;
  };
  client.query = first as typeof client.query;
  return {
    known: () => id,
    failure: () => failure,
    async begun() {
      // The failure of the body's own first statement is the body's: the transaction has begun all the same.
      await begin().catch((error) => id ?? Promise.reject(error));
      return id as string;
    },
    over() {
      isOver = true;
      restore();
    },
  };
}

/**
 * A call of `query` as one that `begin` can go with: a statement with values, whose answer is a promise. A named one has to be prepared
 * already, because pg takes the answer to any preparation for that of its own.
 */
function carrier(client: pg.Client, [what, values, callback]: unknown[]): Query | undefined {
  const { submit, query_timeout } = (what ?? {}) as { submit?: unknown; query_timeout?: unknown };
  if (!what || typeof submit === "function" || query_timeout || callback || typeof values === "function")
    return undefined;
  const query = queryOf(what, values);
  if (query.callback || query.rows || typeof query.text !== "string") return undefined;
  const { parsedStatements } = insideOf(client).connection;
  if (query.name && parsedStatements[query.name] !== query.text) return undefined;
  return Array.isArray(query.values) && query.values.length > 0 ? query : undefined;
}

/** What pg's types leave out. */
const insideOf = (client: pg.Client) => client as unknown as { connection: Connection; readyForQuery: boolean };

/** Whether nothing that it was given is still to be answered. */
export const isIdle = (client: pg.Client): boolean => insideOf(client).readyForQuery;

/** As pg gives it to its callers. */
function withStackOfCaller(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

function withBegin(client: pg.Client, query: Query, onId: (id: string) => void): Query {
  const { submit, handleDataRow, handleCommandComplete, handleError } = query;
  let completed = 0;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      say(connection, "begin");
      say(connection, idStatement.text);
      return submit.call(query, connection);
    } finally {
      connection.stream.uncork();
    }
  };
  query.handleDataRow = (message) => {
    if (completed === 1) onId(message.fields[0] as string);
    else handleDataRow.call(query, message);
  };
  query.handleCommandComplete = (message, connection) => {
    if (completed < 2) completed++;
    else handleCommandComplete.call(query, message, connection);
  };
  query.handleError = (error, connection) => {
    // PostgreSQL refused `begin`. Whatever is sent next would run by itself: nothing more is.
    if (completed === 0 && sqlState(error) !== undefined) client.end().catch(() => undefined);
    handleError.call(query, error, connection);
  };
  return query;
}
