import type { Registry } from "@assay/registry"
import { invalidRequest, isAssayError } from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { requireRole } from "../../auth/require-role.ts"

/**
 * That something may be made in the namespace that a body names.
 * @throws `not_found`, `forbidden`; `invalid_request` where there is none of that name
 */
export async function checkNamespace({ workspaces }: Registry, namespace: string, caller: Caller): Promise<void> {
  requireRole(caller, namespace, "editor")
  try {
    await workspaces.get(namespace)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const msg = `Workspace '${namespace}' does not exist; create it first, or use one that is listed`
    throw invalidRequest(["body", "namespace"], msg, "workspace_missing", namespace)
  }
}
