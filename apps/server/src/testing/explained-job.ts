import type { ConditionCode, JobExplanation } from "@assay/schemas"
import { endOf, EVALUATION } from "./evaluation-bodies.ts"
import type { TestServer } from "./start-test-server.ts"

/** A job that has ended, with its explanation. */
export interface ExplainedJob extends JobExplanation {
  readonly id: string
  /** Returns the condition with this code. Throws an error that lists the found conditions if there is none. */
  readonly condition: (code: ConditionCode) => JobExplanation["conditions"][number]
}

/** Launches a job without launch checks, so that it fails while it runs, and returns its explanation. */
export async function explainedJob(server: TestServer, body: object): Promise<ExplainedJob> {
  const launched = await server.call("POST", `${EVALUATION}/jobs?skip_validation_checks=True`, { json: body })
  if (launched.status !== 201) throw new Error(`The launch returned ${launched.status}: ${launched.text}`)
  const { id } = await endOf(server, launched.json.id)
  const { json } = await server.call("GET", `${EVALUATION}/jobs/${id}/explain`)
  const explained = json as JobExplanation
  return {
    ...explained,
    id,
    condition(code) {
      const found = explained.conditions.find((condition) => condition.code === code)
      if (found === undefined) throw new Error(`'${code}' was not found in ${JSON.stringify(explained)}`)
      return found
    },
  }
}
