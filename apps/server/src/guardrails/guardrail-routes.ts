import type { App } from "../app.ts"
import type { Services } from "../services.ts"
import { guardrailCheckRoutes } from "./check-routes.ts"
import { guardrailConfigRoutes } from "./configuration-routes.ts"
import { V1_PLACE, WORKSPACE_PLACE } from "./guardrails-place.ts"

/** Guardrails of a workspace, under `/apis/guardrails/v2`. */
export function guardrailRoutes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, WORKSPACE_PLACE)
  guardrailCheckRoutes(app, services, WORKSPACE_PLACE)
}

/** The same for clients of the first version, under `/v1/guardrail`. */
export function guardrailV1Routes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, V1_PLACE)
  guardrailCheckRoutes(app, services, V1_PLACE)
}
