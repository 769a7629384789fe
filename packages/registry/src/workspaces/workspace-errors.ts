import { AssayError, invalidRequest } from "@assay/schemas"
import type { Queries } from "../database/database.ts"

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
