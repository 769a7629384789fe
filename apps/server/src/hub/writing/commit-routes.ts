import { HubCommitAnswer } from "@assay/schemas"
import { access } from "../../auth/access.ts"
import type { App } from "../../http/app.ts"
import { requestBytes, streamBodies } from "../../http/request-bytes.ts"
import { checkBranch, repositoryUrl } from "../hub-address.ts"
import { CommitQuery, refusePullRequest, RevisionParameters } from "../hub-request.ts"
import { createCommitLines } from "./commit-lines.ts"
import type { CommitRepository } from "./commit-repository.ts"

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
      const commitUrl = `${repositoryUrl(request, type, `${ws}/${name}`)}/commit/${commit}`
      return { success: true as const, commitOid: commit, commitUrl, hookOutput: "" }
    },
  )
}
