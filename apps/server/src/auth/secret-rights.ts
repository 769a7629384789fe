import type { SecretRights } from "@assay/registry"
import { includesRole, roleIn, type Caller } from "./grant.ts"

/** Returns the workspaces where `caller` may use secrets by reference: those where it is at least an editor. */
export function secretRightsOf(caller: Caller): SecretRights {
  return (workspace) => {
    const held = roleIn(caller, workspace)
    return held !== undefined && includesRole(held, "editor")
  }
}
