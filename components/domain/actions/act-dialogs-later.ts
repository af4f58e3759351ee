"use client";

import { later } from "@/components/ui/later";

export const OpenActDialog = later(() => import("./act-dialogs").then((dialogs) => dialogs.OpenActDialog));
export const OpenActDialogById = later(() => import("./act-dialogs").then((dialogs) => dialogs.OpenActDialogById));
