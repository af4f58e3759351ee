"use client";

import { createContext, useContext } from "react";

/** The windows that every page has. */
export type ShellWindow = "palette" | "keys";

export const WindowContext = createContext<(window: ShellWindow) => void>(() => undefined);

export const useOpenWindow = () => useContext(WindowContext);
