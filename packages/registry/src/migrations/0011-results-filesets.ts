import type { Queries } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/** Jobs keep which fileset their `output_files_url` named at launch, which can get another name later. */
export async function resultsFilesets({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("evaluation_jobs")
    .addColumn("results_fileset", types.text, (column) => column.notNull().defaultTo(""))
    .execute()
}
