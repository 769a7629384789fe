import { AssayError } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import type { DocumentNoun } from "../documents/document-kind.ts"
import { checkWorkspace } from "./workspace-errors.ts"

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
