import type { App } from "../http/app.ts"
import { hubRoutes } from "../hub/hub-routes.ts"
import type { Services } from "../services.ts"
import { datasetRoutes } from "./dataset-routes.ts"
import { dataStoreRoutes, namespaceRoutes } from "./namespace-routes.ts"

/**
 * Defines the routes of the platform's first version over workspaces and filesets: its entity store (`/namespaces`,
 * `/datasets`), its data store (`/datastore/namespaces`) and the hub endpoint (`/hf`). They store nothing else.
 * Source: NVIDIA NeMo microservices, Entity Store and Data Store API reference.
 */
export function platformRoutes(app: App, services: Services): void {
  namespaceRoutes(app, services)
  datasetRoutes(app, services)
  app.register((scope, _options, done) => {
    dataStoreRoutes(scope, services)
    done()
  })
  app.register(
    (scope: App, _options, done) => {
      // The OpenAPI description contains the hub routes once, under their own prefix.
      scope.addHook("onRoute", ({ schema }) => {
        if (schema !== undefined) schema.hide = true
      })
      hubRoutes(scope, services)
      done()
    },
    { prefix: "/hf" },
  )
}
