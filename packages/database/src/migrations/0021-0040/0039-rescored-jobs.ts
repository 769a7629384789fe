import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the id of the job whose outputs a job scores. Null: the job asks its target. */
export async function rescoredJobs({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("evaluation_jobs").addColumn("rescored_from", types.text).execute()
}
