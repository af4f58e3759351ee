"use client";

import { later } from "@/components/ui/later";

/** Includes the input form, which no other dialog needs. */
export const StartAgainDialog = later(() => import("./start-again-dialog").then((dialog) => dialog.StartAgainDialog));
