import type { RevisionFileInfo } from "@assay/filesets"
import { parseRevision, type RevisionAddress } from "@assay/hub"
import { isAssayError } from "@assay/schemas"
import type { ReadOptions } from "@assay/storage"
import { clientSignal } from "@assay/http/node"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { filePathOf } from "../../http/file-path.ts"
import { sendFacts, sendFile, type FileSource } from "../../http/send-file.ts"
import type { Services } from "../../services.ts"
import { ResolveParameters } from "../hub-request.ts"
import { asksForChunks, offerChunks, sendFileInfo } from "../xet/offer-chunks.ts"

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

function describe(reply: FastifyReply, { commit, file }: RevisionFileInfo): void {
  reply.headers({ "x-repo-commit": commit, "x-linked-size": String(file.size), "x-linked-etag": file.etag })
}

/** Defines the routes for files of a revision: `resolve`, and `raw`, which is the same because only whole files are stored. */
export function resolveRoutes(app: App, services: Services): void {
  const sourceOf = (request: FastifyRequest, reply: FastifyReply, { ws, name, rev }: RevisionAddress): FileSource => {
    const { revisions } = registryOf(services, request)
    const path = filePathOf(request)
    const revision = parseRevision(rev)
    return {
      async stat(options) {
        const found = await revisions.stat(ws, name, path, { ...options, revision })
        describe(reply, found)
        return found.file
      },
      async read(options) {
        const read = (how: ReadOptions) => revisions.read(ws, name, path, { ...how, revision })
        const found = await read(options).catch((error: unknown) => {
          if (!isAssayError(error, "range_not_satisfiable") || error.context["size"] !== 0) throw error
          // Clients read the size of every file from the Content-Range of a range request. An empty file has no ranges.
          reply.header("content-range", "bytes */0")
          const { range: _range, ...whole } = options
          return read(whole)
        })
        describe(reply, found)
        return found
      },
    }
  }

  for (const type of ["", "/datasets", "/spaces"]) {
    for (const form of ["resolve", "raw"]) {
      const url = `${type}/:ws/:name/${form}/:rev/*`
      const schema = { tags, params: ResolveParameters }
      app.get(
        url,
        { config: read, exposeHeadRoute: false, schema: { ...schema, summary: "Read a file, whole or a range" } },
        async (request, reply) => {
          const source = sourceOf(request, reply, request.params)
          if (form === "resolve" && asksForChunks(request)) {
            const { size, sha256 } = await source.stat({ signal: clientSignal(reply.raw) })
            const hash = await offerChunks(services, { request, reply }, { ...request.params, sha256 })
            if (hash !== undefined) return sendFileInfo(reply, { hash, size })
          }
          return sendFile(source, { request, reply, outgoing: services.outgoing, now: services.now })
        },
      )
      app.head(
        url,
        { config: read, schema: { ...schema, summary: "Get the facts of a file as header fields" } },
        (request, reply) => {
          const source = sourceOf(request, reply, request.params)
          const stat: FileSource["stat"] = async (options) => {
            const file = await source.stat(options)
            if (form === "resolve")
              await offerChunks(services, { request, reply }, { ...request.params, sha256: file.sha256 })
            return file
          }
          return sendFacts({ ...source, stat }, request, reply)
        },
      )
    }
  }
}
