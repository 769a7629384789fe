import type { CallerFilesets } from "@assay/filesets"
import type { Registry } from "@assay/registry"
import { secretRightsOf } from "@assay/access"
import type { FastifyRequest } from "fastify"
import { callerOf } from "./access.ts"

/** Returns the registry with the rights and the name of the sender of `request`. */
export function registryOf({ registry }: { readonly registry: Registry }, request: FastifyRequest): CallerFilesets {
  const caller = callerOf(request)
  return registry.as(secretRightsOf(caller), caller.name)
}
