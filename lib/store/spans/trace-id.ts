/** The id of a run's trace in SQL: that of its start, or one made of its own id. @param run the table or its alias */
export const traceIdOf = (run: string): string =>
  `coalesce(substr(${run}.trace, 4, 32), replace(${run}.id::text, '-', ''))`;
