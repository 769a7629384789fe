import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the id of the files of a revision. Without it, the id of the commit is that of its files. */
export async function treesOfCommits({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("file_trees").addColumn("tree", types.text).execute()
}
