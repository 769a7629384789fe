import { AssayError, invalidRequest } from "@assay/schemas"
import type { Queries, Database } from "../database.ts"
import type { DocumentNoun } from "./document-kinds.ts"

export function workspaceNotFound(workspace: string): AssayError {
  return new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
}

/** Returns the error for a record that is to be made in a missing workspace. */
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
 * Returns the error for a record that was not found in a workspace.
 * @throws `not_found` about the workspace if that is missing
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

/** Returns the error for a record that was not found in an existing workspace. */
export function recordNotFound(workspace: string, what: Named, name: string): AssayError {
  const message = `${what} '${name}' not found in workspace '${workspace}'`
  return new AssayError("not_found", message, {
    context: { workspace, [what.toLowerCase().replaceAll(" ", "_")]: name },
  })
}

/** Returns the error for what is not in the trash of a workspace. */
export function notInTrash({ workspace, id }: { readonly workspace: string; readonly id: string }): AssayError {
  const message = `The trash of workspace '${workspace}' has no '${id}': it was restored or deleted, or its time is over.`
  return new AssayError("not_found", message, { context: { workspace, trash: id } })
}
