"use client";

import { queryOptions, useMutation } from "@tanstack/react-query";
import { post, read } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type { ReportPreview, ReportRequest, SentReport } from "../contract/destinations";

/** What a report is about. */
export type ReportAbout = { problemId: string } | { operationId: string };

export type SendingReport = Sent<ReportRequest>;

/** Its numbers are as of the request. */
export const reportPreviewQuery = (about: ReportAbout) =>
  queryOptions<ReportPreview, ApiError>({
    queryKey: ["report", about],
    queryFn: () =>
      "problemId" in about
        ? read("/v1/problems/{problemId}/shares", about)
        : read("/v1/operations/{operationId}/shares", about),
    staleTime: 0,
    gcTime: 0,
  });

export const useSendReport = (about: ReportAbout) =>
  useMutation<SentReport, ApiError, SendingReport>({
    mutationFn: (sent) =>
      "problemId" in about
        ? post("/v1/problems/{problemId}/shares", about, sent)
        : post("/v1/operations/{operationId}/shares", about, sent),
  });
