import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NONCE_HEADER } from "@/lib/api/pages/page-policy";
import { viewerFormats } from "@/lib/format/viewer-formats";
import "./globals.css";
import { Providers } from "./providers";

export const metadata: Metadata = {
  title: { default: "Handrail", template: "%s · Handrail" },
  description: "Retry-safe workflows on Postgres: see what happened, and put it right.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbfc" },
    { media: "(prefers-color-scheme: dark)", color: "#0e0e11" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const asked = await headers();
  const nonce = asked.get(NONCE_HEADER) ?? "";
  const formats = viewerFormats(asked.get("accept-language"));
  return (
    // The theme's script sets an attribute on <html> before hydration.
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <Providers nonce={nonce} formats={formats}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
