import { isAssayError, WORKSPACE_NAME_PATTERN } from "@assay/schemas"
import type { Registry } from "../registry.ts"

const NAME = new RegExp(WORKSPACE_NAME_PATTERN, "u")

/**
 * Creates a workspace at its first use, for clients of platforms where a namespace is only a name. Does nothing if it exists, or if no
 * workspace can have this name: what follows then reports that it is missing.
 */
export async function ensureWorkspace(
  workspaces: Pick<Registry["workspaces"], "get" | "create">,
  name: string,
): Promise<void> {
  if (!NAME.test(name)) return
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
