import { AssayError } from "@assay/schemas"
import type { App } from "../http/app.ts"
import { installFormParser } from "../http/body-parsers.ts"
import type { Services } from "../services.ts"
import { openQueries } from "../validation/request-validator.ts"
import { accountRoutes } from "./account-routes.ts"
import { sendHubError } from "./hub-errors.ts"
import { lfsRoutes } from "./lfs/lfs-routes.ts"
import { objectRoutes } from "./lfs/object-routes.ts"
import { repositoryRoutes } from "./reading/repository-routes.ts"
import { resolveRoutes } from "./reading/resolve-routes.ts"
import { treeRoutes } from "./reading/tree-routes.ts"
import { commitRoutes, createCommitRepository } from "./writing/commit-routes.ts"
import { manageRoutes } from "./writing/manage-routes.ts"
import { preuploadRoutes } from "./writing/preupload-routes.ts"
import { chunkRoutes } from "./xet/chunk-routes.ts"
import { xetTokenRoutes } from "./xet/token-routes.ts"

/**
 * Defines the hub endpoint: filesets for unmodified clients of the Hugging Face Hub, whose `HF_ENDPOINT` or `hubUrl` is the
 * URL of this scope. Unknown fields of bodies are ignored, because the protocol belongs to others.
 */
export function hubRoutes(app: App, services: Services): void {
  openQueries(app)
  app.setErrorHandler(sendHubError)
  app.setNotFoundHandler((request) => {
    throw new AssayError("not_found", `There is no ${request.method} ${request.url.split("?")[0]} in this hub.`)
  })
  installFormParser(app)
  const reading = [accountRoutes, repositoryRoutes, treeRoutes, resolveRoutes]
  for (const define of [...reading, preuploadRoutes, lfsRoutes, xetTokenRoutes]) define(app, services)
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
