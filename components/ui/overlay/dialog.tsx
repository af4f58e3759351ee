"use client";

import type { ReactNode } from "react";
import { classNames } from "@/lib/class-names";
import { later } from "../later";
import type { DialogProps } from "./dialog-props";

const DialogWindow = later(() => import("./dialog-window").then((part) => part.DialogWindow));

/** A window over the page; on a phone, a sheet as high as the screen. */
export const Dialog = (props: DialogProps) => props.open && <DialogWindow {...props} />;

export function DialogSection({ children, className }: { children: ReactNode; className?: string }) {
  return <section className={classNames("border-line border-t px-4 py-4 md:px-5", className)}>{children}</section>;
}
