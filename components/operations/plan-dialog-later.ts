"use client";

import { later } from "../ui/later";

export const PlanDialog = later(() => import("./plan-dialog").then((dialog) => dialog.PlanDialog));
