import { requestBytes } from "@assay/http/node"
import {
  checkBranch,
  type CommitLine,
  createCommitFileset,
  createCommitLines,
  openChunkedObjects,
  type Repository,
  repositoryUrl,
} from "@assay/hub"
import type { Revision } from "@assay/filesets"
import { HubCommitAnswer } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { streamBodies } from "../../http/body-parsers.ts"
import { reportInvalidRows } from "../../rows/report-invalid-rows.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { CommitQuery, refusePullRequest, RevisionParameters } from "../hub-request.ts"
import { xetStoresOf } from "../xet/xet-stores-of.ts"

/** Commits to a repository with the rights of the sender of a request. */
export type CommitRepository = (
  request: FastifyRequest,
  repository: Repository,
  lines: AsyncIterable<CommitLine>,
) => Promise<Revision>

export function createCommitRepository(services: Services): CommitRepository {
  const commitFileset = createCommitFileset()
  const { enforceRows, maxUploadBytes: maxBytes } = services
  return async (request, { ws, name }, lines) => {
    const registry = registryOf(services, request)
    const fileset = await registry.files.openWritable(ws, name)
    const checkRows = async (path: FilePath, bytes: AsyncIterable<Uint8Array>) => {
      const checked = await enforceRows({ fileset, path }, bytes, reportInvalidRows(request))
      if (checked !== bytes) for await (const _ of checked);
    }
    const author = callerOf(request).name
    const objects = openChunkedObjects(xetStoresOf(services, request, { ws, name, fileset: fileset.id }))
    return commitFileset({ ws, name, fileset: fileset.id, registry, author, objects, checkRows }, lines, { maxBytes })
  }
}

/** Defines the route for commits, whose lines of JSON are read as they arrive. */
export function commitRoutes(app: App, commitRepository: CommitRepository, idleMs: number): void {
  const commitLines = createCommitLines()
  streamBodies(app)
  app.post(
    "/api/:type/:ws/:name/commit/:rev",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: {
        tags: ["hub"],
        summary: "Commit: lines of JSON with the keys header, file, lfsFile, deletedFile, deletedFolder",
        consumes: ["application/x-ndjson"],
        params: RevisionParameters,
        querystring: CommitQuery,
        response: { 200: HubCommitAnswer },
      },
    },
    async (request) => {
      const { type, ws, name, rev } = request.params
      refusePullRequest(request.query.create_pr)
      checkBranch(rev)
      const lines = commitLines(requestBytes(request.raw, { path: `${ws}/${name}`, idleMs }))
      const { commit } = await commitRepository(request, { ws, name }, lines)
      const commitUrl = `${repositoryUrl(hubUrl(request), type, `${ws}/${name}`)}/commit/${commit}`
      return { success: true as const, commitOid: commit, commitUrl, hookOutput: "" }
    },
  )
}
