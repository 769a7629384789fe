import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the fileset that `output_files_url` named at launch to jobs. It can be renamed later. */
export async function resultsFilesets({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("evaluation_jobs")
    .addColumn("results_fileset", types.text, (column) => column.notNull().defaultTo(""))
    .execute()
}
