import type { IndexThread } from "./index-thread.ts"
import type { RowLines } from "./journal-source.ts"
import { isTail } from "./table/journal-position.ts"

/** Adds the lines that were written since the last call. */
export type UpdateIndex = (job: RowLines) => Promise<void>

/** Changes the indexes of jobs. */
export interface IndexUpdates {
  readonly update: UpdateIndex
  /** Removes the folder of an index. */
  readonly remove: (folder: string) => Promise<void>
}

/** Bytes of the journal after which the index is saved, so that a restart reads only the rest. */
const SAVE_BYTES = 64 * 1024 * 1024

/** Creates the changes. Those of one index run one after the other: pieces of two changes must not mix. */
export function createIndexUpdates(thread: IndexThread): IndexUpdates {
  /** By folder: ends when the last change of its index has ended. */
  const changing = new Map<string, Promise<void>>()

  async function inTurn(folder: string, change: () => Promise<void>): Promise<void> {
    const before = changing.get(folder) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(change)
    changing.set(folder, mine)
    try {
      await mine
    } finally {
      if (changing.get(folder) === mine) changing.delete(folder)
    }
  }

  return {
    update: (job) => inTurn(job.folder, () => addNewLines(thread, job)),
    remove: (folder) => inTurn(folder, () => thread.call("remove", folder)),
  }
}

async function addNewLines(thread: IndexThread, job: RowLines): Promise<void> {
  const { source, folder } = job
  await prove(thread, job)
  const position = await thread.call("position", folder)
  let unsaved = 0
  let hasChanged = false
  for await (const piece of source.pieces(position)) {
    await thread.call("add", folder, piece)
    hasChanged = true
    unsaved += piece.bytes.byteLength
    if (unsaved < SAVE_BYTES) continue
    await thread.call("save", folder)
    unsaved = 0
  }
  if (hasChanged) await thread.call("save", folder)
}

/** Empties an index that is not that of the journal. It is not written with the journal, so a power failure can keep one and not the other. */
async function prove(thread: IndexThread, { source, folder }: RowLines): Promise<void> {
  const tail = await thread.call("unproven", folder)
  if (tail === undefined) return
  const [text] = await source.lines([tail])
  await thread.call("prove", folder, isTail(tail, text))
}
