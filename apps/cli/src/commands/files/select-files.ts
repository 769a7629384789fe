import { posix } from "node:path"
import { compilePathGlob } from "@assay/contents"
import { printable } from "@assay/schemas"
import type { FileSelection } from "@assay/transfer"

/** Options that select files. */
export interface FilterPatterns {
  /** Only files that match one of these; all files if there are none. */
  readonly include?: readonly string[]
  /** Not the files that match one of these. */
  readonly exclude?: readonly string[]
}

/**
 * Compiles `--include` and `--exclude`. A pattern is a glob (`*`, `**`, `?`, `[a-z]`). It matches a file, or a folder with
 * everything below it. A pattern without a slash inside matches at any depth, and one with a slash from the top. A pattern that ends
 * with a slash matches only folders.
 */
export function selectFiles({ include = [], exclude = [] }: FilterPatterns): FileSelection {
  const wanted = include.map(compilePattern)
  const unwanted = exclude.map(compilePattern)
  return {
    isSelected: (path) =>
      (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path)),
    name:
      include.length === 0
        ? undefined
        : `--include ${include.map((pattern) => `'${printable(pattern)}'`).join(" or ")}`,
  }
}

function compilePattern(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^\/|\/$/g, "")
  const isAnywhere = !bare.includes("/") && !pattern.startsWith("/")
  const matches = compilePathGlob(isAnywhere ? `**/${bare}` : bare)
  const isFolderOnly = pattern.endsWith("/")
  return (path) => {
    if (!isFolderOnly && matches(path)) return true
    for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) {
      if (matches(folder)) return true
    }
    return false
  }
}
