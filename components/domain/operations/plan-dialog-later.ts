"use client";

import { later } from "@/components/ui/later";

export const PlanDialog = later(() => import("./plan-dialog").then((dialog) => dialog.PlanDialog));
