import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Read } from "../client/client";
import { query } from "./query";

/** Without `from` and `to`: the newest version and the one before it. */
export const versionChangesQuery = (workflow: string, versions: { from?: number; to?: number }, from?: Read) =>
  queryOptions({
    ...query("/v1/workflows/{workflow}/changes", { workflow, ...versions }, from),
    placeholderData: keepPreviousData,
  });

export const verificationsQuery = (workflow: string) =>
  queryOptions(query("/v1/workflows/{workflow}/verifications", { workflow }));
