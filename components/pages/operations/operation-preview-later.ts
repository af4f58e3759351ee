"use client";

import { later } from "@/components/ui/later";

export const OperationPreview = later(() => import("./operation-preview").then((part) => part.OperationPreview));
