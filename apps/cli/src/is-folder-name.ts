import { existsSync } from "node:fs"
import { resolve } from "node:path"

/**
 * Returns whether an argument names a path on this machine by its spelling: it begins with `.`, `/`, `~` or a drive letter, or it ends
 * with a slash and has no `#`. For what a command writes to: files that happen to be in the working folder do not change its meaning.
 */
export function isFolderName(side: string): boolean {
  return /^[./~]|^[A-Za-z]:[\\/]|^[^#]*[\\/]$/.test(side)
}

/** Matches ids of evaluation jobs. */
export const JOB_ID = /^eval-[A-Za-z0-9]{22,}$/

/**
 * Returns whether an argument names a file or folder on this machine: by its spelling, or because it exists. No server is asked about
 * it. A text with `#` is a fileset, and an id of a job stays one, also beside a folder with its results.
 */
export function isLocal({ cwd }: { readonly cwd: string }, side: string): boolean {
  if (isFolderName(side)) return true
  if (side === "" || side.includes("#") || side.includes("\0") || JOB_ID.test(side)) return false
  return existsSync(resolve(cwd, side))
}
