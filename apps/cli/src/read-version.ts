import { readFileSync } from "node:fs"

/** Returns the version of this program. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest
  return isManifest ? String(manifest.version) : "unknown"
}

/** Returns whether a command line asks for the version and nothing else. The answer then needs no other module. */
export function isVersionAsked(words: readonly string[]): boolean {
  return words.length === 1 && ["--version", "-V"].includes(words[0] ?? "")
}
