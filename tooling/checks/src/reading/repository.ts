import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** Folders and files that are not sources. They are the ones that git ignores. */
const IGNORED = new Set([
  ".git",
  "node_modules",
  "dist",
  ".cache",
  ".turbo",
  ".assay",
  ".assay-eval",
  "coverage",
  ".env",
])

export const REPOSITORY_ROOT = fileURLToPath(new URL("../../../../", import.meta.url))

/** Lists the files below `root` as sorted paths with `/`. It walks the folders, because a tarball has no git. */
export function listFiles(root: string): readonly string[] {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !IGNORED.has(entry.name) && !entry.name.endsWith(".tgz"))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? walk(path) : [relative(root, path).split(sep).join("/")]
      })
  return walk(root).toSorted()
}

export function readText(path: string): string {
  return readFileSync(join(REPOSITORY_ROOT, path), "utf8")
}
