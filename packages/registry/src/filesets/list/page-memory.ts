import type { FilesetPage } from "@assay/schemas"

/** Pages that were asked for last, each with the number of changes that its filesets had had by then. */
export interface PageMemory {
  /** Whether a page is kept under `key`, of whatever moment. */
  has(key: string): boolean
  /** The page, if nothing has changed since. */
  get(key: string, changes: number): FilesetPage | undefined
  /** Keeps a page, which must not change any more. */
  set(key: string, changes: number, page: FilesetPage): void
}

/** A page has at most 100 records. */
const PAGES = 200
/** A filter of a thousand values is not worth its place. */
const LONGEST_KEY = 4096

export function createPageMemory(): PageMemory {
  const kept = new Map<string, { readonly changes: number; readonly page: FilesetPage }>()
  return {
    has: (key) => kept.has(key),
    get(key, changes) {
      const found = kept.get(key)
      if (found?.changes !== changes) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.page
    },
    set(key, changes, page) {
      if (key.length > LONGEST_KEY) return
      kept.delete(key)
      kept.set(key, { changes, page })
      for (const oldest of kept.keys()) {
        if (kept.size <= PAGES) break
        kept.delete(oldest)
      }
    },
  }
}
