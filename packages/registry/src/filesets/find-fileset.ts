import { slot } from "../database/database.ts"
import { notFoundIn } from "../records/not-found.ts"
import type { RegistryContext } from "../registry-context.ts"
import { FILESET_COLUMNS, type FilesetRow } from "./fileset-row.ts"

/** Finds a fileset by its address. @throws `not_found` about the fileset or its workspace */
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

/** Returns the present address of a fileset, which may have been renamed. Undefined if it is gone. */
export type LocateFileset = (id: string) => Promise<Pick<FilesetRow, "workspace" | "name"> | undefined>

export function createLocateFileset({ database }: RegistryContext): LocateFileset {
  const query = database.prepare((queries) =>
    queries.selectFrom("filesets").select(["workspace", "name"]).where("id", "=", slot<string>("id")),
  )
  return async (id) => (await query.run({ id }))[0]
}
