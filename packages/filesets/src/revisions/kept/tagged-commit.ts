import type { FilesetsContext } from "../../filesets-context.ts"

/** Returns the commit that a tag names. */
export async function taggedCommit(
  { database }: Pick<FilesetsContext, "database">,
  fileset_id: string,
  name: string,
): Promise<string | undefined> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("fileset_tags")
      .select("commit_id")
      .where((tag) => tag.and({ fileset_id, name }))
      .executeTakeFirst(),
  )
  return row?.commit_id
}
