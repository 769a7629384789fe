import { AssayError } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import { workspaceMissing } from "../workspaces/workspace-errors.ts"

/**
 * That a fileset of the name could be made now, before anybody else is asked about it. The last word is the insert's.
 * @throws `already_exists`, `invalid_request` where there is no such workspace
 */
export async function checkNameFree(database: Database, workspace: string, name: string): Promise<void> {
  const found = await database.read((queries) =>
    queries
      .selectFrom("workspaces")
      .leftJoin("filesets", (join) =>
        join.onRef("filesets.workspace", "=", "workspaces.name").on("filesets.name", "=", name),
      )
      .select("filesets.id")
      .where("workspaces.name", "=", workspace)
      .executeTakeFirst(),
  )
  if (found === undefined) throw workspaceMissing(workspace)
  if (found.id !== null) throw nameTaken(workspace, name)
}

export function nameTaken(workspace: string, name: string): AssayError {
  return new AssayError("already_exists", `Fileset '${workspace}/${name}' already exists`)
}
