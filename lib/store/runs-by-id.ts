/*
 * A session keeps its plan: one made while there were few runs could read all of them to find a handful by a join.
 */

/** The run with this id, as a table to join. */
export const runOf = (id: string, columns: string) =>
  `lateral (select ${columns} from handrail.run where run.id = ${id} offset 0)`;

/** Of a row `run`: it is one of those in a common table expression. */
export const AMONG = (ids: string) => `run.id = any (array(select id from ${ids}))`;
