"use client";

import { later } from "@/components/ui/later";

export const ProblemPreview = later(() => import("./problem-preview").then((part) => part.ProblemPreview));
