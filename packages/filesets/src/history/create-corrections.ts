import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"

type Correction = (queries: Queries) => Promise<unknown>

/** Corrections of records whose files did not change after all. */
export interface Corrections {
  /** Stores a correction. If the disk refuses it, it waits for the next call. To store one twice must change nothing. */
  add(correction: Correction): Promise<void>
  /** Stores what waits. */
  flush(): Promise<void>
}

/** More corrections are not kept. The settlement at the next start of a server makes them. */
const MAX_WAITING = 10_000

/** Creates the corrections of a history. The disk that let a write fail is often the one that has to store its correction. */
export function createCorrections({ database, log }: Pick<FilesetsContext, "database" | "log">): Corrections {
  const waiting = new Set<Correction>()
  let last: Promise<void> = Promise.resolve()

  async function storeAll(): Promise<void> {
    for (const correction of waiting) {
      try {
        await database.write(correction, { durable: false })
      } catch (error) {
        return log.warn({ err: error }, "Could not correct the history of a file yet")
      }
      waiting.delete(correction)
    }
  }
  const flush = (): Promise<void> => (waiting.size === 0 ? last : (last = last.then(storeAll)))
  return {
    async add(correction) {
      if (waiting.size < MAX_WAITING) waiting.add(correction)
      await flush()
    },
    flush,
  }
}
