import { sql } from "kysely"
import { setTimeout } from "node:timers/promises"
import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { RecordedChange } from "./change-groups.ts"

export type RecordsContext = Pick<FilesetsContext, "database" | "now" | "newId" | "background" | "log">

/** Milliseconds after which counts of new files are stored. */
const COUNT_MS = 500

interface Counted {
  readonly change: RecordedChange
  readonly added: number
  readonly replaced: number
  readonly deleted: number
}

export async function countChange(
  queries: Queries,
  filesetId: string,
  { change, added, replaced, deleted }: Counted,
): Promise<void> {
  const { id, at, author, title } = change
  await sql`insert into file_changes (fileset_id, id, began_at, ended_at, author, title, added, replaced, deleted)
    values (${filesetId}, ${id}, ${at}, ${at}, ${author}, ${title}, ${added}, ${replaced}, ${deleted})
    on conflict (fileset_id, id) do update set
      ended_at = case when excluded.ended_at > file_changes.ended_at then excluded.ended_at else file_changes.ended_at end,
      added = file_changes.added + excluded.added,
      replaced = file_changes.replaced + excluded.replaced,
      deleted = file_changes.deleted + excluded.deleted`.execute(queries)
}

/** Forgets a change that no file has any more. */
export async function forgetEmptyChange(queries: Queries, filesetId: string, id: string): Promise<void> {
  await sql`delete from file_changes where fileset_id = ${filesetId} and id = ${id}
    and added + replaced + deleted <= 0`.execute(queries)
}

/** Counts new files, which leave no version. A crash loses the counts of the last moment. */
export function createNewFileCounts({ database, background, log }: RecordsContext) {
  const waiting = new Map<string, { readonly filesetId: string; change: RecordedChange; added: number }>()
  let isDue = false
  let last: Promise<void> = Promise.resolve()

  async function storeAll(): Promise<void> {
    const counted = [...waiting.values()]
    waiting.clear()
    if (counted.length === 0) return
    await database
      .write(
        async (queries) => {
          for (const { filesetId, change, added } of counted) {
            if (added === 0) continue
            await countChange(queries, filesetId, { change, added, replaced: 0, deleted: 0 })
            if (added < 0) await forgetEmptyChange(queries, filesetId, change.id)
          }
        },
        { durable: false },
      )
      .catch((error: unknown) => log.warn({ err: error }, "Could not count new files in the history"))
  }

  // A reader waits for the counts that another one has begun to store.
  const flush = (): Promise<void> => (waiting.size === 0 ? last : (last = last.then(storeAll)))

  return {
    flush,
    /** @param files how many more; -1: a new file was removed again with its change */
    add(filesetId: string, change: RecordedChange, files: 1 | -1): void {
      const key = `${filesetId} ${change.id}`
      const one = waiting.get(key) ?? { filesetId, change, added: 0 }
      waiting.set(key, one)
      one.added += files
      one.change = change
      if (isDue) return
      isDue = true
      background.start("count new files in the history", async (signal) => {
        await setTimeout(COUNT_MS, undefined, { signal, ref: false }).catch(() => {})
        isDue = false
        await flush()
      })
    },
  }
}
