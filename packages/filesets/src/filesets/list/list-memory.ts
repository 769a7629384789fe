import type { FilesetPage } from "@assay/schemas"
import { LRUCache } from "lru-cache"
import type { PageMark } from "./page-queries.ts"

/** Facts about a listing. They are valid while the filesets in it have had exactly this number of changes. */
export interface ListMemory {
  readonly changes: number
  /** Number of filesets that match its filter, if it had to be counted. */
  readonly total: number | undefined
  /** The first rows of pages, by sort and offset. A page with a mark is read without skipping rows. */
  readonly marks: LRUCache<string, PageMark>
}

interface ListMemories {
  get(key: string): ListMemory | undefined
  set(key: string, memory: ListMemory): void
}

const LISTINGS = 300
const MARKS = 100
/** Listings with longer keys, such as a filter with a thousand values, are not remembered. */
const LONGEST_KEY = 4096

export function createMarks(): ListMemory["marks"] {
  return new LRUCache({ max: MARKS })
}

/** Remembers the most recent listings. */
export function createListMemories(): ListMemories {
  const memories = new LRUCache<string, ListMemory>({ max: LISTINGS })
  return {
    get: (key) => memories.get(key),
    set(key, memory) {
      if (key.length <= LONGEST_KEY) memories.set(key, memory)
    },
  }
}

/** The most recent pages, each with the number of changes that its filesets had had by then. */
interface PageMemory {
  /** Returns whether a page was read under `key`, even an outdated one. */
  has(key: string): boolean
  /** Returns the page if it is kept and contains all of these changes. */
  get(key: string, changes: number): FilesetPage | undefined
  /** Keeps a page, and freezes it, if one was read under `key` before. Pages that are read once would displace others. */
  set(key: string, changes: number, page: FilesetPage): void
}

/** A page has at most 100 records. */
const PAGES = 200

export function createPageMemory(): PageMemory {
  const kept = new LRUCache<string, { readonly changes: number; readonly page: FilesetPage | undefined }>({
    max: PAGES,
  })
  return {
    has: (key) => kept.has(key),
    get(key, changes) {
      const found = kept.get(key)
      if (found?.page === undefined || found.changes < changes) return undefined
      return found.page
    },
    set(key, changes, page) {
      const known = kept.get(key)
      if (key.length > LONGEST_KEY || (known !== undefined && known.changes > changes)) return
      kept.set(key, { changes, page: known && Object.freeze(page) })
    },
  }
}
