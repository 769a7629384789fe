import { sql } from "kysely"
import type { Queries } from "@assay/database"
import { isNotDiscarded } from "./is-discarded.ts"
import { removeJournalFiles } from "./shards/job-journal.ts"
import type { ShardedJournalContext } from "./shards/read-contents.ts"

/** What the removal of a workspace does with its jobs, whose records go with that of the workspace. */
export interface JobsOfWorkspace {
  /** Returns the number of its jobs that are not in the trash. */
  count(queries: Queries, workspace: string): Promise<number>
  /** Returns whether journals, whose files have to be removed first, are left. */
  hasJournals(queries: Queries, workspace: string): Promise<boolean>
  /** Removes the files of the journals of all jobs that are cut into shards. */
  removeJournals(workspace: string): Promise<void>
}

export function createJobsOfWorkspace(context: ShardedJournalContext): JobsOfWorkspace {
  const { database } = context
  return {
    async count(queries, workspace) {
      const { count } = await queries
        .selectFrom("evaluation_jobs")
        .select(sql<number>`count(*)`.as("count"))
        .where("namespace", "=", workspace)
        .where(isNotDiscarded("id"))
        .executeTakeFirstOrThrow()
      return count
    },
    hasJournals: async (queries, workspace) =>
      (await shardedJobsIn(queries, workspace).limit(1).executeTakeFirst()) !== undefined,
    async removeJournals(workspace) {
      const jobs = await database.read((queries) => shardedJobsIn(queries, workspace).execute())
      for (const { job_id } of jobs) {
        await removeJournalFiles(context, job_id)
        // Workers that still have shards can no longer write.
        await database.write((queries) =>
          queries.deleteFrom("evaluation_sharded_jobs").where("job_id", "=", job_id).execute(),
        )
      }
    },
  }
}

function shardedJobsIn(queries: Queries, workspace: string) {
  return queries
    .selectFrom("evaluation_sharded_jobs")
    .innerJoin("evaluation_jobs", "evaluation_jobs.id", "evaluation_sharded_jobs.job_id")
    .select("job_id")
    .where("namespace", "=", workspace)
}
