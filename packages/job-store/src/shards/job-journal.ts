import { deleteAll, type Outages } from "@assay/storage"
import type { StoredJournal } from "../journal/stored-journal.ts"
import { openStoredJournal } from "../journal/stored-journal.ts"
import type { TableJournal } from "../journal/table-journal.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import { isSharded, journalFolder, openShardedJournal, openStoredSegments } from "./sharded-journal.ts"

/** Opens the journal of a job for readers. Whether the job is cut into shards is known when it has begun. */
export function openJobJournal(context: ShardedJournalContext, jobId: string): StoredJournal {
  const ofJob = openStoredJournal(context.database, jobId)
  const ofShards = openStoredSegments(context, jobId)
  const present = async () => ((await isSharded(context, jobId)) ? ofShards : ofJob)
  return {
    isEmpty: async () => (await present()).isEmpty(),
    async *records(after) {
      yield* (await present()).records(after)
    },
    parts: async (parts) => (await present()).parts(parts),
  }
}

/** Removes the files of a journal on the default storage, also those that a worker wrote before it was lost. */
export async function removeJournalFiles(context: ShardedJournalContext, jobId: string): Promise<void> {
  if (!(await isSharded(context, jobId))) return
  await deleteAll(await context.openDefaultStorage(), { prefix: journalFolder(jobId) })
}

/** Returns a journal that reads the rows of all shards if its job is cut into shards. */
export function readingShards(
  journal: TableJournal,
  context: ShardedJournalContext & { readonly outages: Outages },
  jobId: string,
): TableJournal {
  const ofShards = openShardedJournal(context, jobId)
  const isCut = () => isSharded(context, jobId)
  const present = async () => ((await context.outages.outlast(isCut)) ? ofShards : journal)
  return {
    ...journal,
    async *bytes(signal) {
      yield* (await present()).bytes(signal)
    },
    async *batches(signal) {
      yield* (await present()).batches(signal)
    },
  }
}
