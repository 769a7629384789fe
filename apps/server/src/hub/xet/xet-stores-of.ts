import type { XetStores, Repository } from "@assay/hub"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../../auth/secret-rights.ts"
import type { Services } from "../../services.ts"

/** Returns where the chunks of a fileset are, with the rights of the sender of a request. */
export function xetStoresOf(
  services: Services,
  request: FastifyRequest,
  { ws, name, fileset }: Repository & { readonly fileset: string },
): XetStores {
  const { xet, pendingObjects: objects } = services
  return { xet, objects, registry: registryOf(services, request), repository: { ws, name }, fileset }
}
