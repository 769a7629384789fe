import { AssayError } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import { checkWorkspace } from "./workspace-errors.ts"

/**
 * The error for a record that was not found in a workspace.
 * @throws `not_found` about the workspace where that is what is missing
 */
export async function notFoundIn(
  database: Database,
  workspace: string,
  what: "Fileset" | "Project" | "Secret",
  name: string,
): Promise<AssayError> {
  await database.read((queries) => checkWorkspace(queries, workspace))
  const message = `${what} '${name}' not found in workspace '${workspace}'`
  return new AssayError("not_found", message, { context: { workspace, [what.toLowerCase()]: name } })
}
