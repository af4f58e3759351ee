"use client";

import { later } from "../ui/later";
import { PreviewSkeleton } from "./preview-skeleton";

export const RunPreview = later(() => import("./run-preview").then((part) => part.RunPreview), <PreviewSkeleton />);
