import { compareCodePoints } from "../compare-code-points.ts"
import type { HubClient } from "./client.ts"
import type { HubFile } from "./hub-file.ts"

/** What the operations of one opened storage share. Its `revision` is a commit. */
export interface HubContext extends HubClient {
  readonly readChunkSize: number
  readonly memory: TreeMemory
}

/** The last whole listing, which stays true: a commit does not change. */
interface TreeMemory {
  /** The files below a folder (empty: all), sorted; undefined where that is not remembered. */
  list(folder: string): readonly HubFile[] | undefined
  /** The file at a path, or null where none is; undefined where that is not remembered. */
  find(path: string): HubFile | null | undefined
  /** @param files sorted by path */
  keep(folder: string, files: readonly HubFile[]): void
}

/** A listing that is longer is not kept: an opened storage is to be cheap. */
const MAX = 20_000

export function createTreeMemory(): TreeMemory {
  let kept: { readonly start: string; readonly files: readonly HubFile[] } | undefined
  const covering = (path: string) => (kept !== undefined && path.startsWith(kept.start) ? kept.files : undefined)
  return {
    list(folder) {
      const start = startOf(folder)
      const files = covering(start)
      return start === kept?.start ? files : files?.filter(({ path }) => path.startsWith(start))
    },
    find(path) {
      const files = covering(path)
      return files === undefined ? undefined : (binarySearch(files, path) ?? null)
    },
    keep(folder, files) {
      if (files.length <= MAX) kept = { start: startOf(folder), files }
    },
  }
}

function startOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`
}

function binarySearch(files: readonly HubFile[], path: string): HubFile | undefined {
  let low = 0
  let high = files.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareCodePoints(files[middle]?.path ?? "", path) < 0) low = middle + 1
    else high = middle
  }
  return files[low]?.path === path ? files[low] : undefined
}
