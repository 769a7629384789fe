import { launchJob, type LaunchContext } from "@assay/jobs"
import type { EvaluationJob, EvaluationTargetBody } from "@assay/schemas"
import { expect, it } from "vitest"
import { EDITOR, openTestEnvironment } from "../testing/open-test-environment.ts"
import { jobCaller } from "./evaluation-requests.ts"

it("A launch with all its checks visits each field of its bodies once", async () => {
  await using test = await openTestEnvironment()
  let visits = 0
  const rows = [{ output: "1" }]
  const target: EvaluationTargetBody = {
    type: "rows",
    rows,
    get description() {
      visits += 1
      return "read by each walk over all fields"
    },
  }
  const metrics = { m: { type: "string-check", params: { check: ["{{item.output}}", "equals", "1"] } } }
  const config = { type: "custom", tasks: { qa: { type: "data", metrics } } } as const
  const launched: unknown[] = []
  const launch = async (job: object) => {
    launched.push(job)
    return job as EvaluationJob
  }
  const context: LaunchContext = { ...test.context, workFolder: test.folder, jobs: { launch } }
  const { rights } = jobCaller(EDITOR)
  const options: Parameters<typeof launchJob>[1] = {
    rights,
    grants: [],
    skipChecks: false,
    signal: new AbortController().signal,
  }
  await launchJob({ target, config }, options, context)
  expect([launched.length, visits]).toEqual([1, 1])
})
