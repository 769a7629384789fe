import type { FilesetPage } from "@assay/schemas"
import type { PageMark } from "./sort-order.ts"

/** What is remembered of a listing. It holds for as long as the filesets in it have had so many changes. */
export interface ListMemory {
  readonly changes: number
  /** How many filesets satisfy its filter, where that had to be counted. */
  readonly total: number | undefined
  /** Where pages begin, by sort and offset: to go there needs no counting of rows. */
  readonly marks: Map<string, PageMark>
}

export interface ListMemories {
  get(key: string): ListMemory | undefined
  set(key: string, memory: ListMemory): void
}

const LISTINGS = 300
const MARKS = 100
/** A filter of a thousand values is not worth its place. */
const LONGEST_KEY = 4096

/** The listings that were asked for last. */
export function createListMemories(): ListMemories {
  const memories = new Map<string, ListMemory>()
  return {
    get: (key) => memories.get(key),
    set(key, memory) {
      if (key.length > LONGEST_KEY) return
      dropOldest(memory.marks, MARKS)
      memories.delete(key)
      memories.set(key, memory)
      dropOldest(memories, LISTINGS)
    },
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

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
