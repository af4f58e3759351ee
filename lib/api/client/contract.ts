import type { z } from "zod";
import type * as endpoints from "../endpoints";

export type { ErrorResponse } from "../contract/responses";

type Every = (typeof endpoints)[keyof typeof endpoints];
/** An object without fields takes none; as an empty record it would forbid the fields of the other half. */
type Fields<Schema> = string extends keyof z.output<Schema> ? unknown : z.output<Schema>;

/**
 * What each path of the API takes and answers, by its method: the declarations' types. The package has the same, written
 * out without them (scripts/pack/contract.ts).
 */
export type Contract = {
  [M in Every["method"]]: {
    [E in Extract<Every, { method: M }> as E["path"]]: {
      params: Fields<E["params"]>;
      query: Fields<E["query"]>;
      request: z.input<NonNullable<E["body"]>>;
      answer: z.output<E["answer"]>;
    };
  };
};

export type Part<
  M extends keyof Contract,
  P extends keyof Contract[M],
  Name extends "params" | "query" | "request" | "answer",
> = Contract[M][P] extends { [Field in Name]: infer Type } ? Type : never;
