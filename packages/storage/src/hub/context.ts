import { compareCodePoints } from "../file-path.ts"
import type { HubClient } from "./client.ts"
import type { HubFile } from "./hub-file.ts"

/** State shared by the operations of one opened storage. Its `revision` is a commit. */
export interface HubContext extends HubClient {
  readonly readChunkSize: number
  readonly memory: ListingCache
}

/** The last complete listing. It stays valid because a commit does not change. */
interface ListingCache {
  /** Returns the sorted files below a folder (empty: all), or undefined if they are not cached. */
  list(folder: string): readonly HubFile[] | undefined
  /** Returns the file at a path, or null if there is none, or undefined if that is not cached. */
  find(path: string): HubFile | null | undefined
  /** @param files sorted by path */
  keep(folder: string, files: readonly HubFile[]): void
}

/** Maximum length of a listing that is cached. An open storage should need little memory. */
const MAX_FILES = 20_000

export function createListingCache(): ListingCache {
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
      if (files.length <= MAX_FILES) kept = { start: startOf(folder), files }
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
