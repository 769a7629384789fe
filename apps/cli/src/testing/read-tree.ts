import { readFileSync, readdirSync } from "node:fs"
import { join, relative, sep } from "node:path"

/** Reads every file below a folder, also hidden ones. Returns the bytes in hex by path. */
export function readTree(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files
      .map((file) => [relative(root, file).split(sep).join("/"), readFileSync(file).toString("hex")] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
