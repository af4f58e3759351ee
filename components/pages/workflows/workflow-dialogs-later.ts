"use client";

import { later } from "@/components/ui/later";

export const IntakeDialog = later(() => import("./intake-dialog").then((dialog) => dialog.IntakeDialog));
export const LimitsDialog = later(() => import("./limits-dialog").then((dialog) => dialog.LimitsDialog));
