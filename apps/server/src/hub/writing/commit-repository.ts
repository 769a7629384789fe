import { createCommitFileset, type CommitLine, type Tree } from "@assay/registry"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../../auth/caller-registry.ts"
import { reportInvalidRows } from "../../rows/enforce-rows.ts"
import type { Services } from "../../services.ts"

/** A repository as its address names it. */
export interface Repository {
  readonly ws: string
  readonly name: string
}

/** Commits to a repository with the rights of the sender of a request. */
export type CommitRepository = (
  request: FastifyRequest,
  repository: Repository,
  lines: AsyncIterable<CommitLine>,
) => Promise<Tree>

export function createCommitRepository(services: Services): CommitRepository {
  const commitFileset = createCommitFileset()
  const { pendingObjects: objects, enforceRows, maxUploadBytes: maxBytes } = services
  return async (request, { ws, name }, lines) => {
    const registry = registryOf(services, request)
    await registry.files.checkWritable(ws, name)
    const { id: fileset } = await registry.filesets.get(ws, name)
    const checkRows = async (path: string, bytes: AsyncIterable<Uint8Array>) => {
      const checked = await enforceRows({ ws, name, path }, bytes, reportInvalidRows(request))
      if (checked !== bytes) for await (const _ of checked);
    }
    return commitFileset({ ws, name, fileset, registry, objects, checkRows }, lines, { maxBytes })
  }
}
