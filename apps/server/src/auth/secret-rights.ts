import type { CallerRegistry, Registry, SecretRights } from "@assay/registry"
import type { FastifyRequest } from "fastify"
import { callerOf } from "./access.ts"
import { includesRole, roleIn, type Caller } from "./grant.ts"

/** Returns the workspaces where `caller` may use secrets by reference: those where it is at least an editor. */
export function secretRightsOf(caller: Caller): SecretRights {
  return (workspace) => {
    const held = roleIn(caller, workspace)
    return held !== undefined && includesRole(held, "editor")
  }
}

/** Returns the registry with the rights of the sender of `request`. */
export function registryOf({ registry }: { readonly registry: Registry }, request: FastifyRequest): CallerRegistry {
  return registry.as(secretRightsOf(callerOf(request)))
}
