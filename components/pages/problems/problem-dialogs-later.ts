"use client";

import { later } from "@/components/ui/later";

export const ProblemDialog = later(() => import("./problem-dialogs").then((dialogs) => dialogs.ProblemDialog));
