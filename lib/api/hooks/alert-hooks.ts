"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { post, put } from "../client/browser";
import type { ApiError, Sent } from "../client/client";
import type {
  AlertAcknowledgementRequest,
  AlertMuteRequest,
  AlertPreviewQuery,
  AlertRuleActRequest,
  AlertRuleChangeRequest,
  AlertRuleRequest,
} from "../contract/alerts";
import { ofPaths, query, refresh } from "./query";

/** Judged every ten seconds, without a notification to browsers. */
const LOOK_AGAIN_MS = 5_000;

export const useAlertRules = () => useQuery({ ...query("/v1/alerts", {}), refetchInterval: LOOK_AGAIN_MS });

export const useAlertRule = (id: string) =>
  useQuery({ ...query("/v1/alerts/{id}", { id }), refetchInterval: LOOK_AGAIN_MS });

/** @param numbers null: not readable yet */
export const useAlertPreview = (numbers: AlertPreviewQuery | null) =>
  useQuery({
    ...query("/v1/alert-preview", numbers ?? NOTHING_TO_PREVIEW),
    enabled: numbers !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

const NOTHING_TO_PREVIEW = {
  kind: "live_workers",
  threshold: 1,
  resolveThreshold: 1,
  forMs: 0,
  resolveForMs: 0,
} satisfies AlertPreviewQuery;

type Of<Request> = Sent<Request> & { id: string };

export const useAddAlertRule = () => useAlertAct((sent: Sent<AlertRuleRequest>) => post("/v1/alerts", {}, sent));

export const useChangeAlertRule = () =>
  useAlertAct(({ id, ...sent }: Of<AlertRuleChangeRequest>) => put("/v1/alerts/{id}", { id }, sent));

export const useRemoveAlertRule = () =>
  useAlertAct(
    ({ id, ...sent }: Of<AlertRuleActRequest>) => post("/v1/alerts/{id}/removal", { id }, sent),
    BESIDE_THE_RULE, // which is gone: its sheet, still open, would ask for it
  );

export const useTestAlertRule = () =>
  useAlertAct(({ id, ...sent }: Of<Record<string, never>>) => post("/v1/alerts/{id}/test", { id }, sent));

export const useMuteAlertRule = () =>
  useAlertAct(({ id, ...sent }: Of<AlertMuteRequest>) => post("/v1/alerts/{id}/mute", { id }, sent));

export const useAcknowledgeAlert = () =>
  useAlertAct(({ id, ...sent }: Of<AlertAcknowledgementRequest>) =>
    post("/v1/alerts/{id}/acknowledgement", { id }, sent),
  );

const BESIDE_THE_RULE = ofPaths("/v1/alerts", "/v1/overview");
const OF_RULES = ofPaths("/v1/alerts", "/v1/alerts/{id}", "/v1/overview");

function useAlertAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>, touched = OF_RULES) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Variables>({
    mutationFn: act,
    onSettled: () => refresh(queryClient, touched),
  });
}
