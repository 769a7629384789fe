import { AssayError, invalidRequest } from "@assay/schemas"
import type { Queries, Database } from "../database/database.ts"
import type { DocumentNoun } from "../documents/documents.ts"

export function workspaceNotFound(workspace: string): AssayError {
  return new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
}

/** For what is to be made in a workspace that is not there. */
export function workspaceMissing(workspace: string): AssayError {
  const msg = `Workspace '${workspace}' does not exist; create it first, or use one that is listed`
  return invalidRequest(["path", "workspace"], msg, "workspace_missing", workspace)
}

/** @throws `not_found` */
export async function checkWorkspace(queries: Queries, workspace: string): Promise<void> {
  const found = await queries.selectFrom("workspaces").select("name").where("name", "=", workspace).executeTakeFirst()
  if (found === undefined) throw workspaceNotFound(workspace)
}

type Named = "Fileset" | "Model" | "Project" | "Secret" | DocumentNoun

/**
 * The error for a record that was not found in a workspace.
 * @throws `not_found` about the workspace where that is what is missing
 */
export async function notFoundIn(
  database: Database,
  workspace: string,
  what: Named,
  name: string,
): Promise<AssayError> {
  await database.read((queries) => checkWorkspace(queries, workspace))
  return recordNotFound(workspace, what, name)
}

/** The same, for a workspace that is there. */
export function recordNotFound(workspace: string, what: Named, name: string): AssayError {
  const message = `${what} '${name}' not found in workspace '${workspace}'`
  return new AssayError("not_found", message, {
    context: { workspace, [what.toLowerCase().replaceAll(" ", "_")]: name },
  })
}
