import { LiveAnswer, LiveBody, withStatusWord } from "@assay/schemas"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf, readBodyForms } from "./evaluation-requests.ts"

// Somebody can write a key instead of its name. Errors must not repeat it.
const evaluate = describeRoutes("evaluation", { scope: "any" }, { hideInput: true })

/** Defines the route with an immediate result: an evaluation of a few rows. */
export function evaluationAnswerRoutes(app: App, { evaluations, wireNames, defaultInferenceUrl }: Services): void {
  app.post(
    "/live",
    {
      ...evaluate({
        summary: "Evaluate up to 100 rows in one request, and store nothing",
        body: LiveBody,
        response: ok(LiveAnswer),
      }),
      preValidation: readBodyForms(defaultInferenceUrl),
    },
    async (request, reply) => {
      const options = { caller: jobCallerOf(request), signal: clientSignal(reply.raw) }
      const { result, ...answer } = await evaluations.live(request.body, options)
      const { jobOutputs } = await import("@assay/jobs")
      const presented = result === null ? null : jobOutputs.present(result, request.body.config, wireNames)
      return withStatusWord({ ...answer, result: presented }, wireNames)
    },
  )
}
