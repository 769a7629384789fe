import type { CallerRegistry, Revision } from "@assay/registry"
import { formatTimestamp, HubRepository } from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { parseRevision } from "../hub-address.ts"
import { isTrue, RepositoryParameters, RevisionParameters } from "../hub-request.ts"
import { describeNodes } from "./tree-entry.ts"

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

const InfoQuery = Type.Object({
  blobs: Type.Optional(Type.String({ description: "`true`: siblings with sizes and digests." })),
  expand: Type.Optional(
    Type.Unknown({ description: "Names of fields. With this parameter, `siblings` is returned only if it is named." }),
  ),
})

type Siblings = NonNullable<HubRepository["siblings"]>

async function siblingsOf(
  registry: CallerRegistry,
  address: { readonly ws: string; readonly name: string; readonly tree: Revision },
  blobs: boolean,
): Promise<Siblings> {
  const { files } = address.tree
  if (!blobs) return files.map(({ path }) => ({ rfilename: path }))
  const nodes = files.map((file) => ({ file }))
  const entries = await describeNodes(registry, { ...address, expand: false }, nodes)
  return entries.map(({ path, size, oid, lfs }) => ({
    rfilename: path,
    size,
    blobId: oid,
    ...(lfs === undefined ? {} : { lfs: { sha256: lfs.oid, size: lfs.size, pointerSize: lfs.pointerSize } }),
  }))
}

/** Defines the routes that describe a repository, now or at a commit. */
export function repositoryRoutes(app: App, services: Services): void {
  async function describe(
    request: FastifyRequest,
    { ws, name, rev }: { readonly ws: string; readonly name: string; readonly rev?: string },
    { blobs, expand }: Static<typeof InfoQuery>,
  ): Promise<HubRepository> {
    const registry = registryOf(services, request)
    const [fileset, tree] = await Promise.all([
      registry.filesets.get(ws, name),
      registry.revisions.get(ws, name, parseRevision(rev)),
    ])
    const fields = expand === undefined ? undefined : [expand].flat()
    const wantsSiblings = fields === undefined || fields.includes("siblings")
    const id = `${ws}/${name}`
    return {
      _id: fileset.id,
      id,
      modelId: id,
      author: ws,
      sha: tree.commit,
      lastModified: formatTimestamp(tree.createdAt),
      createdAt: fileset.created_at,
      private: callerOf(request).tokenId !== null,
      gated: false,
      disabled: false,
      downloads: 0,
      likes: 0,
      tags: [],
      description: fileset.description,
      ...(wantsSiblings ? { siblings: await siblingsOf(registry, { ws, name, tree }, isTrue(blobs)) } : {}),
    }
  }

  const schema = {
    tags,
    summary: "Describe a repository",
    querystring: InfoQuery,
    response: { 200: HubRepository },
  }
  app.get("/api/:type/:ws/:name", { config: read, schema: { ...schema, params: RepositoryParameters } }, (request) =>
    describe(request, request.params, request.query),
  )
  app.get(
    "/api/:type/:ws/:name/revision/:rev",
    { config: read, schema: { ...schema, params: RevisionParameters } },
    (request) => describe(request, request.params, request.query),
  )
}
