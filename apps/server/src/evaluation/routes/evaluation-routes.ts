import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { evaluationAnswerRoutes } from "./answer-routes.ts"
import { evaluationDocumentRoutes } from "./document-routes.ts"
import { evaluationJobRoutes } from "./job-routes.ts"
import { evaluationOutputRoutes } from "./output-routes.ts"

/** Defines the routes for evaluation jobs, targets and configurations, under `/v1/evaluation`. */
export function evaluationRoutes(app: App, services: Services): void {
  evaluationDocumentRoutes(app, services)
  evaluationJobRoutes(app, services)
  evaluationOutputRoutes(app, services)
  evaluationAnswerRoutes(app, services)
}
