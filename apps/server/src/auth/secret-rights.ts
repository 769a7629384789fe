import type { SecretRights } from "@assay/registry"
import { includesRole, roleIn, type Caller } from "./grant.ts"

/** Where `caller` may use secrets by reference: wherever it is an editor. */
export function secretRightsOf(caller: Caller): SecretRights {
  return (workspace) => {
    const held = roleIn(caller, workspace)
    return held !== undefined && includesRole(held, "editor")
  }
}
