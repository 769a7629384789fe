import { Comparison, LiveAnswer, LiveBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../app.ts"
import { access, callerOf } from "../auth/access.ts"
import { findJob, rightsOfCaller } from "../evaluation/caller-rights.ts"
import { loadEvaluation } from "../evaluation/load-evaluation.ts"
import { vendorResult, withStatusWord } from "../evaluation/present-job.ts"
import { readEvaluationBody } from "../evaluation/read-body.ts"
import { clientSignal } from "../http/client-signal.ts"
import { errorResponses } from "../http/error-responses.ts"
import type { Services } from "../services.ts"

const tags = ["evaluation"]
const anybody = access({ scope: "any" })

const CompareQuery = Type.Object({
  jobs: Type.String({ minLength: 1, description: "Ids, separated by commas; the first one is the baseline." }),
  margin: Type.Number({ minimum: 0, default: 0, description: "How much worse a score may be and still pass." }),
})

/** What is answered in the same call: comparisons, and evaluations of few rows. */
export function evaluationAnswerRoutes(
  app: App,
  { registry, evaluations, wireNames, defaultInferenceUrl }: Services,
): void {
  app.get(
    "/compare",
    {
      config: anybody,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Hold jobs against the first of them, row by row",
        querystring: CompareQuery,
        response: { 200: Comparison, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { jobs, margin } = request.query
      const ids = jobs.split(",").map((id) => id.trim())
      const caller = callerOf(request)
      const { compareStoredJobs } = await loadEvaluation()
      return compareStoredJobs([...new Set(ids.filter((id) => id !== ""))], {
        registry,
        margin,
        rights: rightsOfCaller(caller),
        signal: clientSignal(reply.raw),
        findJob: (id) => findJob(registry, id, { caller, role: "viewer" }),
      })
    },
  )
  app.post(
    "/live",
    {
      config: { ...anybody, hideInput: true },
      preValidation: (request, _reply, done) => {
        request.body = readEvaluationBody(request.body, defaultInferenceUrl)
        done()
      },
      schema: {
        tags,
        summary: "Evaluate up to 100 rows in the same call, and keep nothing",
        body: LiveBody,
        response: { 200: LiveAnswer, ...errorResponses },
      },
    },
    async (request, reply) => {
      const options = { caller: callerOf(request), signal: clientSignal(reply.raw) }
      const { result, ...answer } = await evaluations.live(request.body, options)
      const { config } = request.body
      const isRenamed = wireNames === "vendor" && result !== null && typeof config === "object"
      return withStatusWord({ ...answer, result: isRenamed ? await vendorResult(result, config) : result }, wireNames)
    },
  )
}
