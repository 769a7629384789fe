import { invalidRequest, isAssayError } from "@assay/schemas"
import type { Registry } from "../registry.ts"

/** Checks that the workspace in the field `namespace` of a body exists. @throws `invalid_request` */
export async function checkNamespace({ workspaces }: Pick<Registry, "workspaces">, namespace: string): Promise<void> {
  try {
    await workspaces.get(namespace)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const msg = `Workspace '${namespace}' does not exist; create it first, or use one that is listed`
    throw invalidRequest(["body", "namespace"], msg, "workspace_missing", namespace)
  }
}
