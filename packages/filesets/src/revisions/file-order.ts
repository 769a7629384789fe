import { compareCodePoints } from "@assay/storage"
import type { RevisionFile } from "./revision-file.ts"

/** A folder of a revision. Its files are contiguous: from index `from` up to, not including, `to`. */
export interface FolderRange {
  /** Empty: the root. */
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Returns the index after the last of the files from `from` on whose paths begin with `prefix`. */
export function endOfPrefix(files: readonly RevisionFile[], prefix: string, from: number): number {
  let low = from
  let high = files.length
  // Most folders are small, so the search begins near the first file.
  for (let step = 1; low + step < high; step *= 2) {
    if (files[low + step]?.path.startsWith(prefix) !== true) high = low + step
    else low += step
  }
  while (low < high) {
    const middle = (low + high) >> 1
    if (files[middle]?.path.startsWith(prefix) === true) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the index of the first file whose path is not before `path`. */
export function firstFrom(files: readonly Pick<RevisionFile, "path">[], path: string): number {
  let low = 0
  let high = files.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareCodePoints(files[middle]?.path ?? "", path) < 0) low = middle + 1
    else high = middle
  }
  return low
}
