import type { CallerFilesets } from "@assay/checkpoints"
import type { Registry } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { roleIn, type Caller, secretRightsOf } from "@assay/access"

/** Returns the filesets that `caller` may use. */
export function callerFilesets(registry: Registry, caller: Caller): CallerFilesets {
  const { filesets, files } = registry.as(secretRightsOf(caller), caller.name)
  return {
    get: (workspace, name) => filesets.get(workspace, name),
    open: (workspace, name) => files.open(workspace, name),
    async openNamed({ workspace, name }) {
      if (roleIn(caller, workspace) === undefined) return null
      try {
        return await files.open(workspace, name)
      } catch (error) {
        if (isAssayError(error, "not_found")) return null
        throw error
      }
    },
  }
}
