"use client";

import { later } from "@/components/ui/later";

export const StartRunDialog = later(() => import("./start-run-dialog").then((dialog) => dialog.StartRunDialog));
