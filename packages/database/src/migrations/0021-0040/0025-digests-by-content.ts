import type { Queries } from "../../database.ts"

/**
 * Lets the index of digests begin with the digest. PostgreSQL used one that began with the fileset to look up paths while its counts of
 * files were old, and read all files of the fileset for each of them.
 */
export async function digestsByContent({ schema }: Queries): Promise<void> {
  await schema.dropIndex("content_digests_by_sha256").execute()
  await schema
    .createIndex("content_digests_by_content")
    .on("content_digests")
    .columns(["sha256", "fileset_id"])
    .execute()
}
