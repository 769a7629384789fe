import { findReadableHash } from "@assay/hub"
import type { FastifyReply, FastifyRequest } from "fastify"
import { registryOf } from "../../auth/secret-rights.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { xetReadUrl } from "./granted-stores.ts"
import { xetStoresOf } from "./xet-stores-of.ts"

/** The media type of the answer by which JavaScript clients know that they can read a file as chunks. */
const FILE_INFO = "application/vnd.xet-fileinfo+json"

/** Returns whether the sender of a request can read a file as chunks instead of the answer. */
export function asksForChunks({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes(FILE_INFO) === true
}

interface OfferedFile {
  readonly ws: string
  readonly name: string
  readonly rev: string
  readonly sha256: string | null
}

/** Adds header fields that tell how a file can be read as chunks, if it can. Returns its Xet hash then. */
export async function offerChunks(
  services: Services,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { ws, name, rev, sha256 }: OfferedFile,
): Promise<string | undefined> {
  if (sha256 === null) return undefined
  const { id: fileset } = await registryOf(services, request).filesets.get(ws, name)
  const hash = await findReadableHash(xetStoresOf(services, request, { ws, name, fileset }), sha256)
  if (hash === undefined) return undefined
  const token = `${hubUrl(request)}/api/models/${ws}/${name}/xet-read-token/${encodeURIComponent(rev)}`
  const terms = `${xetReadUrl(request, { ws, name })}/v1/reconstructions/${hash}`
  reply.headers({
    "x-xet-hash": hash,
    link: `<${token}>; rel="xet-auth", <${terms}>; rel="xet-reconstruction-info"`,
  })
  return hash
}

/** Sends the answer to a client that asks how to read a file as chunks. */
export function sendFileInfo(
  reply: FastifyReply,
  info: { readonly hash: string; readonly size: number },
): FastifyReply {
  return reply.header("vary", "accept").serializer(JSON.stringify).type(FILE_INFO).send(info)
}
