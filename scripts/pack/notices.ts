import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

interface Manifest {
  name: string;
  /** Packages that another has compiled into itself say none. */
  version?: string;
  /** Those of some say none, and their file does. */
  license?: string;
  author?: string | { name: string };
}

/**
 * The licences of the packages that are in the code, in full.
 * @param files licences of what is no package, by what they are of
 * @throws for a package that has none
 */
export async function noticesOf(folders: readonly string[], files: Record<string, string> = {}): Promise<string> {
  const others = Object.entries(files).map(async ([of, file]) => section(of, await readFile(file, "utf8")));
  const notices = await Promise.all([...folders.map(noticeOf), ...others]);
  return ["The code of this package contains the following packages.\n", ...new Set(notices)].join("\n");
}

async function noticeOf(folder: string): Promise<string> {
  const manifest: Manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  const file = (await readdir(folder)).find((file) => /^licen[cs]e(-\w+)?(\.\w+)?$/i.test(file));
  const text = file ? await readFile(path.join(folder, file), "utf8") : await usualText(manifest);
  const title = [name, version, license && `(${license})`].filter(Boolean).join(" ");
  return section(title, text);
}

const section = (title: string, text: string) => `## ${title}\n\n${text.trim().replaceAll(/^/gm, "    ")}\n`;

/** Some name their licence and leave its text out. MIT's is the same everywhere, and that of this repository. */
async function usualText({ name, license, author }: Manifest): Promise<string> {
  if (license === "CC0-1.0")
    return "Its authors have given up all rights: https://creativecommons.org/publicdomain/zero/1.0/";
  if (license === "(Apache-2.0 AND BSD-3-Clause)") return `${await readFile(APACHE, "utf8")}\n${BSD_3_OF_PROTOBUF}`;
  if (license !== "MIT") throw new Error(`${name} has no file with its licence: it cannot be a part of the package.`);
  const holder = typeof author === "object" ? author.name : (author ?? `the authors of ${name}`);
  const text = await readFile(new URL("../../LICENSE", import.meta.url), "utf8");
  return text.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

/** Of a package that has the licence's whole text. */
const APACHE = new URL("../../node_modules/class-variance-authority/LICENSE", import.meta.url);

/** Of the parts of @bufbuild/protobuf that come from Google's. */
const BSD_3_OF_PROTOBUF = `Parts: Copyright 2008 Google Inc. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions
are met: redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer;
redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution; neither the name of Google Inc. nor the names of its contributors
may be used to endorse or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE
COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING,
BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED
AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;
