"use client";

import { later } from "../later";
import type { SheetProps } from "./sheet-props";

const SheetWindow = later(() => import("./sheet-window").then((part) => part.SheetWindow));

/** What stands in a side pane where there is room for one: from the right, or from below on a phone. */
export const Sheet = (props: SheetProps) => props.open && <SheetWindow {...props} />;
