import { clientSignal } from "@assay/http/server"
import { Comparison, LiveAnswer, LiveBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../../auth/access.ts"
import type { App } from "../../http/app.ts"
import { errorResponses } from "../../http/route-schemas.ts"
import type { Services } from "../../services.ts"
import { findJob, rightsOfCaller } from "../caller-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { vendorResult, withStatusWord } from "../present-job.ts"
import { readEvaluationBody } from "../read-body.ts"

const tags = ["evaluation"]
const anybody = access({ scope: "any" })

const CompareQuery = Type.Object({
  jobs: Type.String({ minLength: 1, description: "Job ids, separated by commas. The first job is the baseline." }),
  margin: Type.Number({
    minimum: 0,
    default: 0,
    description: "Amount by which a score may be worse than the baseline and still pass.",
  }),
})

/** Defines the routes with an immediate result: comparisons, and evaluations of a few rows. */
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
        summary: "Compare jobs with the first of them, row by row",
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
        summary: "Evaluate up to 100 rows in one request, and store nothing",
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
