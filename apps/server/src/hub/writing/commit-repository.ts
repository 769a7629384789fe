import type { Tree } from "@assay/registry"
import { createPathLocks } from "@assay/storage"
import type { FastifyRequest } from "fastify"
import { tellInvalidRows } from "../../rows/enforce-rows.ts"
import type { Services } from "../../services.ts"
import { registryOf } from "../hub-request.ts"
import { applyCommit } from "./apply-commit.ts"
import type { CommitLine } from "./commit-lines.ts"
import { receiveCommit } from "./receive-commit.ts"

export interface Repository {
  readonly ws: string
  readonly name: string
}

/** Commits to a fileset on behalf of the sender of a request. */
export type CommitFileset = (
  request: FastifyRequest,
  repository: Repository,
  lines: AsyncIterable<CommitLine>,
) => Promise<Tree>

/** Commits to one fileset are applied one after the other: what one of them was made for must not change under it. */
export function createCommitFileset(services: Services): CommitFileset {
  const locks = createPathLocks()
  return async (request, { ws, name }, lines) => {
    const registry = registryOf(services, request)
    await registry.files.checkWritable(ws, name)
    const { id: fileset } = await registry.filesets.get(ws, name)
    const { objects, enforceRows, maxUploadBytes: maxBytes } = services
    const checkRows = async (path: string, bytes: AsyncIterable<Uint8Array>) => {
      const checked = await enforceRows({ ws, name, path }, bytes, tellInvalidRows(request))
      if (checked !== bytes) for await (const _ of checked);
    }
    const target = { ws, name, fileset, registry, objects, checkRows }
    const received = new Set<string>()
    try {
      const commit = await receiveCommit(target, lines, { maxBytes, onContent: (sha256) => received.add(sha256) })
      return await locks.exclusive(fileset, () => applyCommit(target, commit))
    } finally {
      // Files by now, or of no use to anybody: they come again with the next attempt.
      for (const sha256 of received) await objects.remove({ fileset, sha256 })
    }
  }
}
