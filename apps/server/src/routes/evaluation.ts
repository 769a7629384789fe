import type { App } from "../app.ts"
import type { Services } from "../services.ts"
import { evaluationAnswerRoutes } from "./evaluation-answers.ts"
import { evaluationDocumentRoutes } from "./evaluation-documents.ts"
import { evaluationJobRoutes } from "./evaluation-jobs.ts"
import { evaluationOutputRoutes } from "./evaluation-outputs.ts"

/** Evaluation jobs, targets and configurations, under `/v1/evaluation`. */
export function evaluationRoutes(app: App, services: Services): void {
  evaluationDocumentRoutes(app, services)
  evaluationJobRoutes(app, services)
  evaluationOutputRoutes(app, services)
  evaluationAnswerRoutes(app, services)
}
