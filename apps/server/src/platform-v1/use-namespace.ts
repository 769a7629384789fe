import { includesRole, roleIn, type Caller } from "@assay/access"
import { isAssayError, WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import type { Services } from "../services.ts"

const NAME = new RegExp(WORKSPACE_NAME_PATTERN, "u")

/**
 * Creates the workspace of a namespace at its first use: on the platform's first version, a namespace is no more than a name. Does nothing if
 * it exists, if no workspace can have this name, or if the caller may not create workspaces. What follows then reports the missing workspace.
 */
export async function useNamespace(
  { registry: { workspaces } }: Pick<Services, "registry">,
  caller: Caller,
  name: string,
): Promise<void> {
  const role = roleIn(caller, "*")
  if (!NAME.test(name) || role === undefined || !includesRole(role, "admin")) return
  try {
    await workspaces.get(name)
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    await workspaces.create({ name }).catch((failure: unknown) => {
      // Another request creates it at the same time.
      if (!isAssayError(failure, "already_exists")) throw failure
    })
  }
}
