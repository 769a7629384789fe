import { AssayError } from "@assay/schemas"
import type { App } from "../http/app.ts"
import { installFormParser } from "../http/body-parsers.ts"
import type { Services } from "../services.ts"
import { openQueries } from "../validation/request-validator.ts"
import { accountRoutes } from "./account-routes.ts"
import { gitRoutes } from "./git-routes.ts"
import { sendHubError } from "./hub-errors.ts"
import { lfsRoutes } from "./lfs/lfs-routes.ts"
import { objectRoutes } from "./lfs/object-routes.ts"
import { listRoutes } from "./reading/list-routes.ts"
import { repositoryRoutes } from "./reading/repository-routes.ts"
import { resolveRoutes } from "./reading/resolve-routes.ts"
import { treeRoutes } from "./reading/tree-routes.ts"
import { commitRoutes, createCommitRepository } from "./writing/commit-routes.ts"
import { manageRoutes } from "./writing/manage-routes.ts"
import { tagRoutes } from "./writing/tag-routes.ts"
import { preuploadRoutes } from "./writing/preupload-routes.ts"
import { viewerRoutes } from "./viewer/viewer-routes.ts"
import { chunkRoutes } from "./xet/chunk-routes.ts"
import { xetTokenRoutes } from "./xet/token-routes.ts"

/** Paths of functions that clients have and this hub refuses, with what exists instead. */
const REFUSED: readonly (readonly [form: RegExp, refusal: string])[] = [
  [
    /\/api\/\w+\/[^/]+\/[^/]+\/branch\//u,
    "This hub has no branches: each repository has main, tags and its last 100 commits, whose ids work as revisions.",
  ],
  [
    /\/api\/\w+\/[^/]+\/[^/]+\/(?:discussions|like|likers)\b/u,
    "This hub has no discussions, pull requests and likes: commit to main.",
  ],
  [
    /\/api\/\w+\/[^/]+\/[^/]+\/lfs-files\b/u,
    "This hub stores no LFS objects beside the files: list the files of the repository, and delete those.",
  ],
  [
    /\/api\/buckets\//u,
    "This hub has no buckets: use a repository, or a client of S3 at the path /s3, where each repository is a bucket.",
  ],
  [
    /\/api\/(?:organizations\/[^/]+\/)?settings\/repositories$/u,
    "This hub does not list the repositories of an owner: list models, datasets and spaces by their author.",
  ],
  [
    /\/api\/\w+\/[^/]+\/[^/]+\/duplicate$/u,
    "This hub does not duplicate repositories: download the files, and upload them to a new one.",
  ],
  [
    /\/api\/spaces\/[^/]+\/[^/]+\/(?:runtime|secrets|variables|hardware|restart|pause|sleeptime|storage|volumes|logs)\b/u,
    "This hub runs no spaces: a space is a repository whose files are read and written.",
  ],
]

/**
 * Defines the hub endpoint: filesets for unmodified clients of the Hugging Face Hub, whose `HF_ENDPOINT` or `hubUrl` is the
 * URL of this scope. Unknown fields of bodies are ignored, because the protocol belongs to others.
 */
export function hubRoutes(app: App, services: Services): void {
  openQueries(app)
  app.setErrorHandler(sendHubError)
  app.setNotFoundHandler((request) => {
    const path = request.url.split("?")[0] ?? ""
    const refusal = REFUSED.find(([form]) => form.test(path))?.[1]
    if (refusal !== undefined) throw new AssayError("bad_request", refusal)
    throw new AssayError("not_found", `There is no ${request.method} ${path} in this hub.`)
  })
  installFormParser(app)
  const reading = [accountRoutes, listRoutes, repositoryRoutes, treeRoutes, resolveRoutes, viewerRoutes]
  for (const define of [...reading, preuploadRoutes, tagRoutes, lfsRoutes, xetTokenRoutes]) define(app, services)
  gitRoutes(app)
  const commitRepository = createCommitRepository(services)
  manageRoutes(app, services, commitRepository)
  // These routes stream bodies of every media type.
  const streaming = (define: (scope: App) => void) => {
    app.register((scope, _options, done) => {
      define(scope)
      done()
    })
  }
  streaming((scope) => objectRoutes(scope, services))
  streaming((scope) => chunkRoutes(scope, services))
  streaming((scope) => commitRoutes(scope, commitRepository, services.uploadIdleMs))
}
