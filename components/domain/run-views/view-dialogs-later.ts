"use client";

import { later } from "@/components/ui/later";

export const SaveViewDialog = later(() => import("./view-dialogs").then((dialogs) => dialogs.SaveViewDialog));
export const DeleteViewDialog = later(() => import("./view-dialogs").then((dialogs) => dialogs.DeleteViewDialog));
