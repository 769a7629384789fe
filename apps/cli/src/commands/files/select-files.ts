import { compilePathGlob } from "@assay/contents/path-glob"
import { folderOf } from "./split-path.ts"
import type { TransferSide } from "./transfer-side.ts"

export interface FilterPatterns {
  /** Only files that match one of these; all files if there are none. */
  readonly include?: readonly string[]
  /** Not the files that match one of these. */
  readonly exclude?: readonly string[]
}

/**
 * A test for the paths that patterns select. A pattern is a glob (`*`, `**`, `?`, `[a-z]`). It matches a file, or a folder and
 * with it everything below. Without a slash inside, it matches at any depth; with one, from the top. A slash at its end matches
 * folders only.
 */
export function compileFileFilter({ include = [], exclude = [] }: FilterPatterns): (path: string) => boolean {
  const [wanted, unwanted] = [include.map(compilePattern), exclude.map(compilePattern)]
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path))
}

/** The side as if it held the selected files alone. */
export function filterSide(side: TransferSide, isSelected: (path: string) => boolean): TransferSide {
  return {
    ...side,
    async *list(signal) {
      for await (const file of side.list(signal)) if (isSelected(file.path)) yield file
    },
  }
}

function compilePattern(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^\/|\/$/g, "")
  const isAnywhere = !bare.includes("/") && !pattern.startsWith("/")
  const matches = compilePathGlob(isAnywhere ? `**/${bare}` : bare)
  const isFolderOnly = pattern.endsWith("/")
  return (path) => {
    if (!isFolderOnly && matches(path)) return true
    for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) if (matches(folder)) return true
    return false
  }
}
