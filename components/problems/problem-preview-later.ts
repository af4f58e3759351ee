"use client";

import { later } from "../ui/later";

export const ProblemPreview = later(() => import("./problem-preview").then((part) => part.ProblemPreview));
