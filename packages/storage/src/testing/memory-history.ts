import type { FileHistory, FormerFile } from "../file-history.ts"

/** A history in memory, and what it recorded. */
export interface MemoryHistory extends FileHistory {
  /** The versions that are kept, by id. */
  readonly kept: ReadonlyMap<string, FormerFile>
  /** The number of files that were new. */
  readonly added: () => number
}

/** Creates a history in memory that keeps everything. */
export function createMemoryHistory(): MemoryHistory {
  const kept = new Map<string, FormerFile>()
  let ids = 0
  let added = 0
  return {
    kept,
    added: () => added,
    async keep(former) {
      const id = `kept-${(ids += 1)}`
      kept.set(id, former)
      return {
        id,
        async cancel() {
          kept.delete(id)
        },
      }
    },
    settle: async () => {},
    undoNew() {},
    noteNew() {
      added += 1
    },
    async undo(path, etag) {
      const ids = [...kept].filter(([, { file }]) => file.path === path && file.etag === etag).map(([id]) => id)
      const last = ids.slice(-1)
      for (const id of last) kept.delete(id)
      return last
    },
  }
}
