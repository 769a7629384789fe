import { createHash } from "node:crypto"
import type { FileChange } from "@assay/storage"
import { LRUCache } from "lru-cache"

/** A change as it is recorded. */
export interface RecordedChange {
  readonly id: string
  readonly author: string
  readonly title: string
  /** When the change of this file happened. */
  readonly at: number
}

/** Milliseconds. Changes of an author without a pause of this length are one. */
const PAUSE_MS = 3000

const MAX_FILESETS = 10_000

/** Finds the change that the change of a file belongs to. Each server has its own. */
export type FindChange = (filesetId: string, change: FileChange | undefined) => RecordedChange

export function createFindChange({
  now,
  newId,
}: {
  readonly now: () => number
  readonly newId: (prefix: string) => string
}): FindChange {
  // `max` would reserve memory for all filesets when the server starts.
  const last = new LRUCache<string, { readonly id: string; readonly author: string; readonly at: number }>({
    maxSize: MAX_FILESETS,
    sizeCalculation: () => 1,
  })
  return (filesetId, { author = "", id, title = "" }: Partial<FileChange> = {}) => {
    const at = now()
    if (id !== undefined) return { id, author, title, at }
    const before = last.get(filesetId)
    const isSame = before !== undefined && before.author === author && at - before.at < PAUSE_MS
    const found = isSame ? before.id : newChangeId(newId)
    last.set(filesetId, { id: found, author, at })
    return { id: found, author, title, at }
  }
}

/** Returns a new id, which looks like that of a commit. */
export function newChangeId(newId: (prefix: string) => string): string {
  return createHash("sha1").update(newId("change")).digest("hex")
}
