import { LRUCache } from "lru-cache"

/** Keeps values with files in memory, up to a total number of files: the least recently used ones leave it. */
export interface FileMemory<T> {
  get(filesetId: string, name: string): T | undefined
  put(filesetId: string, name: string, value: T): void
  drop(filesetId: string, name: string): void
}

interface FileMemoryOptions<T> {
  readonly maxFiles: number
  /** Number of files that it holds. */
  readonly filesOf: (value: T) => number
}

/** The cost of a value without its files, in files. */
const OWN_COST = 10

export function createFileMemory<T extends object>({ maxFiles, filesOf }: FileMemoryOptions<T>): FileMemory<T> {
  const values = new LRUCache<string, T>({
    maxSize: maxFiles,
    // The newest value stays, however large it is: its client is about to use it.
    sizeCalculation: (value) => Math.min(filesOf(value) + OWN_COST, maxFiles),
  })
  const keyOf = (filesetId: string, name: string) => `${filesetId} ${name}`
  return {
    get: (filesetId, name) => values.get(keyOf(filesetId, name)),
    put: (filesetId, name, value) => void values.set(keyOf(filesetId, name), value),
    drop: (filesetId, name) => void values.delete(keyOf(filesetId, name)),
  }
}
