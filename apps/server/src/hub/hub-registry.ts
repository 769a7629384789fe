import type { CallerRegistry } from "@assay/registry"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { secretRightsOf } from "../auth/secret-rights.ts"
import type { Services } from "../services.ts"

/** The registry for the sender of `request`. */
export function registryOf({ registry }: Services, request: FastifyRequest): CallerRegistry {
  return registry.as(secretRightsOf(callerOf(request)))
}
