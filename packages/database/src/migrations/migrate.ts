import { sql } from "kysely"
import { Migrator, type Migration } from "kysely/migration"
import type { Queries } from "../database.ts"
import type { SqlDialect } from "../sql-dialect.ts"
import { firstTables } from "./0001-0020/0001-first-tables.ts"
import { fileTrees } from "./0001-0020/0002-file-trees.ts"
import { removedFilesets } from "./0001-0020/0003-removed-filesets.ts"
import { readCache } from "./0001-0020/0004-read-cache.ts"
import { models } from "./0001-0020/0005-models.ts"
import { documents } from "./0001-0020/0006-documents.ts"
import { evaluationJobs } from "./0001-0020/0007-evaluation-jobs.ts"
import { stagedResults } from "./0001-0020/0008-staged-results.ts"
import { secretOwners } from "./0001-0020/0009-secret-owners.ts"
import { filesetFolders } from "./0001-0020/0010-fileset-folders.ts"
import { resultsFilesets } from "./0001-0020/0011-results-filesets.ts"
import { usersFolders } from "./0001-0020/0012-users-folders.ts"
import { filesetUsage } from "./0001-0020/0013-fileset-usage.ts"
import { auditRecords } from "./0001-0020/0014-audit-records.ts"
import { jobShards } from "./0001-0020/0015-job-shards.ts"
import { sharedUploads } from "./0001-0020/0016-shared-uploads.ts"
import { jobPriority } from "./0001-0020/0017-job-priority.ts"
import { workspaceBudgets } from "./0001-0020/0018-workspace-budgets.ts"
import { endpointPaces } from "./0001-0020/0019-endpoint-paces.ts"
import { filePieces } from "./0001-0020/0020-file-pieces.ts"
import { contentDigestPartitions } from "./0021-0040/0021-content-digest-partitions.ts"
import { removedFilesetRecords } from "./0021-0040/0022-removed-fileset-records.ts"
import { segmentFacts } from "./0021-0040/0023-segment-facts.ts"
import { searchInBatches } from "./0021-0040/0024-search-in-batches.ts"
import { digestsByContent } from "./0021-0040/0025-digests-by-content.ts"
import { uploadMetadata } from "./0021-0040/0026-upload-metadata.ts"
import { treesOfCommits } from "./0021-0040/0027-trees-of-commits.ts"
import { storageIds } from "./0021-0040/0028-storage-ids.ts"
import { endedSessions } from "./0021-0040/0029-ended-sessions.ts"
import { countedFailures } from "./0021-0040/0030-counted-failures.ts"
import { usageOfRemovedWorkspaces } from "./0021-0040/0031-usage-of-removed-workspaces.ts"
import { webhookEvents } from "./0021-0040/0032-webhook-events.ts"
import { shardOpenings } from "./0021-0040/0033-shard-openings.ts"
import { xetUploads } from "./0021-0040/0034-xet-uploads.ts"
import { callersOfWrites } from "./0021-0040/0035-callers-of-writes.ts"
import { describedModels } from "./0021-0040/0036-described-models.ts"
import { fileHistory } from "./0021-0040/0037-file-history.ts"
import { filesetSignatures } from "./0021-0040/0038-fileset-signatures.ts"
import { rescoredJobs } from "./0021-0040/0039-rescored-jobs.ts"
import { trashEntries } from "./0021-0040/0040-trash-entries.ts"

/** All migrations from an empty database to the newest schema. A released migration is never changed. */
const MIGRATIONS = {
  "0001-first-tables": firstTables,
  "0002-file-trees": fileTrees,
  "0003-removed-filesets": removedFilesets,
  "0004-read-cache": readCache,
  "0005-models": models,
  "0006-documents": documents,
  "0007-evaluation-jobs": evaluationJobs,
  "0008-staged-results": stagedResults,
  "0009-secret-owners": secretOwners,
  "0010-fileset-folders": filesetFolders,
  "0011-results-filesets": resultsFilesets,
  "0012-users-folders": usersFolders,
  "0013-fileset-usage": filesetUsage,
  "0014-audit-records": auditRecords,
  "0015-job-shards": jobShards,
  "0016-shared-uploads": sharedUploads,
  "0017-job-priority": jobPriority,
  "0018-workspace-budgets": workspaceBudgets,
  "0019-endpoint-paces": endpointPaces,
  "0020-file-pieces": filePieces,
  "0021-content-digest-partitions": contentDigestPartitions,
  "0022-removed-fileset-records": removedFilesetRecords,
  "0023-segment-facts": segmentFacts,
  "0024-search-in-batches": searchInBatches,
  "0025-digests-by-content": digestsByContent,
  "0026-upload-metadata": uploadMetadata,
  "0027-trees-of-commits": treesOfCommits,
  "0028-storage-ids": storageIds,
  "0029-ended-sessions": endedSessions,
  "0030-counted-failures": countedFailures,
  "0031-usage-of-removed-workspaces": usageOfRemovedWorkspaces,
  "0032-webhook-events": webhookEvents,
  "0033-shard-openings": shardOpenings,
  "0034-xet-uploads": xetUploads,
  "0035-callers-of-writes": callersOfWrites,
  "0036-described-models": describedModels,
  "0037-file-history": fileHistory,
  "0038-fileset-signatures": filesetSignatures,
  "0039-rescored-jobs": rescoredJobs,
  "0040-trash-entries": trashEntries,
}

/** Returns the migrations that the database has already had. */
async function readTaken(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(queries)
    .catch((error: Error) => {
      // The database was never migrated.
      if (/no such table|does not exist/.test(error.message)) return { rows: [] }
      throw error
    })
  return new Set(rows.map(({ name }) => name))
}

/** The names of all migrations, oldest first. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)

function isNewest(taken: ReadonlySet<string>): boolean {
  return taken.size === MIGRATION_NAMES.length && MIGRATION_NAMES.every((name) => taken.has(name))
}

/** @throws if the database does not have exactly the migrations of this version */
export async function checkMigrated(queries: Queries): Promise<void> {
  if (isNewest(await readTaken(queries))) return
  throw new Error(
    "its schema is that of another version of Assay; use that version, or start this version's server once.",
  )
}

/**
 * Decides about missing migrations, whose names it gets in their order. Servers of older versions keep running on a database
 * that has been migrated.
 */
export type MayMigrate = (pending: readonly string[]) => boolean

export interface MigrationRules {
  readonly mayMigrate: MayMigrate
  /** Whether servers of other versions use the database, too. */
  readonly isShared: boolean
}

/** The name of a migration that removes what the version before still uses. All others only add to the schema. */
const CONTRACTS = /^\d+-contract-/

/**
 * Returns whether to migrate. A shared database may have migrations of a later version, because its servers are upgraded one after
 * the other, and a server of the older version can restart meanwhile.
 * @throws if the database has migrations of a later version that this one cannot use, or lacks some that may not be run
 */
export async function needsMigration(queries: Queries, { mayMigrate, isShared }: MigrationRules): Promise<boolean> {
  const taken = await readTaken(queries)
  const pending = MIGRATION_NAMES.filter((name) => !taken.has(name))
  const later = [...taken].filter((name) => !Object.hasOwn(MIGRATIONS, name))
  const isUsable = isShared && pending.length === 0 && !later.some((name) => CONTRACTS.test(name))
  if (later.length > 0 && !isUsable) {
    throw new Error("its schema is that of a later version of Assay; use that version.")
  }
  if (pending.length === 0) return false
  if (mayMigrate(pending)) return true
  throw new Error(`its schema lacks ${pending.join(", ")}; run \`assay migrate\` once.`)
}

/**
 * Runs the missing migrations in one transaction, which is that of `queries` if it is one. It reads the whole catalogue of the
 * database, which takes as long as all other work of a start. `last` is the last one to run. Default: the newest.
 */
export async function migrate(
  queries: Queries,
  dialect: SqlDialect,
  last = MIGRATION_NAMES.at(-1) ?? "",
): Promise<void> {
  const steps = Object.entries(MIGRATIONS).map(([name, step]): [string, Migration] => [
    name,
    { up: (transaction) => step(transaction, dialect) },
  ])
  const provider = { getMigrations: async () => Object.fromEntries(steps) }
  const migrator = new Migrator({ db: queries, provider })
  const { error } = await migrator.migrateTo(last)
  if (error !== undefined) throw error
}
