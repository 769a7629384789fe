import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds a folder of results for each runner, and the mark of a runner that stops, which does not count as lost. */
export async function stagedResults({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("filesets")
    .addColumn("subfolder", types.text, (column) => column.notNull().defaultTo(""))
    .execute()
  const addToJobs = (name: string, type: typeof types.text, value: string | number) =>
    schema
      .alterTable("evaluation_jobs")
      .addColumn(name, type, (column) => column.notNull().defaultTo(value))
      .execute()
  await addToJobs("claims", types.integer, 0)
  await addToJobs("results_folder", types.text, "")
  await addToJobs("is_stopping", types.integer, 0)
}
