/** The tables with records of the files of a fileset. They outlive it until they are deleted in groups. */
export const FILE_RECORD_TABLES = ["file_digests", "content_digests", "file_pieces", "file_trees"] as const

/** Returns SQL that matches if a fileset has records of files. */
export function hasFileRecords(filesetId: string): string {
  return FILE_RECORD_TABLES.map((table) => `exists (select 1 from ${table} where fileset_id = ${filesetId})`).join(
    " or ",
  )
}
