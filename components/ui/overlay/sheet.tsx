"use client";

import { later } from "../later";
import type { SheetProps } from "./sheet-props";

const SheetWindow = later(() => import("./sheet-window").then((part) => part.SheetWindow));

/** A side pane's content if there is no room for one: a sheet from the right, or from below on a phone. */
export const Sheet = (props: SheetProps) => props.open && <SheetWindow {...props} />;
