import { slot } from "../database/prepared-query.ts"
import type { RegistryContext } from "../registry-context.ts"
import { notFoundIn } from "../workspaces/not-found-in.ts"
import { FILESET_COLUMNS, type FilesetRow } from "./fileset-row.ts"

/** Finds a fileset by its address. @throws `not_found` that says whether the fileset or its workspace is missing */
export type FindFileset = (workspace: string, name: string) => Promise<FilesetRow>

export function createFindFileset({ database }: RegistryContext): FindFileset {
  const query = database.prepare((queries) =>
    queries
      .selectFrom("filesets")
      .select(FILESET_COLUMNS)
      .where("workspace", "=", slot<string>("workspace"))
      .where("name", "=", slot<string>("name")),
  )
  return async (workspace, name) => {
    const [row] = await query.run({ workspace, name })
    if (row === undefined) throw await notFoundIn(database, workspace, "Fileset", name)
    return row
  }
}
