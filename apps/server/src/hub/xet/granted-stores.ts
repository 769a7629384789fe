import { requireRole, type Caller, type XetRight } from "@assay/access"
import type { Repository, XetStores } from "@assay/hub"
import { AssayError, isAssayError } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { setCaller } from "../../auth/access.ts"
import { bearerToken } from "../../auth/authenticate.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { xetStoresOf } from "./xet-stores-of.ts"

/** Path of the addresses for chunks. */
export const XET_BASE = "/xet/:ws/:name/:state"

export const xetFileset = {
  ws: Type.String(),
  name: Type.String(),
  state: Type.String({ description: "Part of the address, which changes when chunks were lost." }),
}

/** Returns the address from which clients read the chunks of a fileset. */
export function xetReadUrl(request: FastifyRequest, { ws, name }: Repository): string {
  return `${hubUrl(request)}/xet/${ws}/${name}/read`
}

interface NamedFileset {
  readonly ws: string
  readonly name: string
  readonly right: XetRight
  /** Undefined: the token is in the header. */
  readonly address?: { readonly token: string; readonly path: string }
}

interface GrantedStores {
  readonly caller: Caller
  readonly stores: XetStores
}

/**
 * Returns the chunks of the fileset of a request whose token grants the right to them.
 * @throws `unauthorized`, `forbidden`, `not_found`
 */
export async function grantedStores(
  services: Services,
  request: FastifyRequest,
  { ws, name, right, address }: NamedFileset,
): Promise<GrantedStores> {
  const token = address?.token ?? bearerToken(request.headers.authorization) ?? ""
  const found = await services.xetTokens.find(token, address?.path)
  if (found === undefined) {
    // Clients ask for new addresses after a 403.
    const code = address === undefined ? "unauthorized" : "forbidden"
    throw new AssayError(code, "The token for chunks is not valid or has expired; ask for a new one.")
  }
  const { caller, grant } = found
  setCaller(request, caller)
  requireRole(caller, ws, right === "write" ? "editor" : "viewer")
  const { filesets } = registryOf(services, request)
  const named = await filesets.get(ws, name).catch(async (error: unknown) => {
    // A download that has begun continues if the fileset gets another name.
    const renamed =
      right === "read" && isAssayError(error, "not_found") ? await filesets.find(grant.fileset) : undefined
    if (renamed === undefined) throw error
    requireRole(caller, renamed.workspace, "viewer")
    return renamed
  })
  if (named.id !== grant.fileset || (right === "write" && grant.right !== "write")) {
    throw new AssayError("forbidden", `The token for chunks is not for '${ws}/${name}', or not for uploads.`)
  }
  const repository = { ws: named.workspace, name: named.name }
  return { caller, stores: xetStoresOf(services, request, { ...repository, fileset: named.id }) }
}
