import type { OpenFileset } from "@assay/contents"
import type { Registry } from "@assay/registry"
import { type Caller, roleIn, secretRightsOf } from "@assay/registry/tokens"
import { isAssayError } from "@assay/schemas"

/** Returns a function that opens filesets by name. It returns null for filesets that do not exist or that `caller` may not see. */
export function openNamedFileset(registry: Registry, caller: Caller): OpenFileset {
  return async ({ workspace, name }) => {
    if (roleIn(caller, workspace) === undefined) return null
    try {
      return await registry.as(secretRightsOf(caller)).files.open(workspace, name)
    } catch (error) {
      if (isAssayError(error, "not_found")) return null
      throw error
    }
  }
}
