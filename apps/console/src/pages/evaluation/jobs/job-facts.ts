import { isJsonObject } from "@assay/json"
import type { EvaluationJob } from "@assay/schemas"

type Verdict = "PASS" | "FAIL" | "INCONCLUSIVE"

/** Returns the verdict of all gates of a job; undefined without gates. */
export function gateOf({ status_details: { gates = [] } }: Pick<EvaluationJob, "status_details">): Verdict | undefined {
  const verdicts = new Set(gates.map(({ verdict }) => verdict))
  if (verdicts.has("FAIL")) return "FAIL"
  if (verdicts.has("INCONCLUSIVE")) return "INCONCLUSIVE"
  return verdicts.has("PASS") ? "PASS" : undefined
}

/** Returns the datasets of a job, as its tasks name them. Rows that are written into it have no name. */
export function datasetsOf({ config: { tasks = {} } }: Pick<EvaluationJob, "config">): readonly string[] {
  const found = Object.values(tasks).flatMap(({ dataset }) => {
    const name = isJsonObject(dataset) ? dataset["files_url"] : dataset
    return typeof name === "string" ? [name.replace(/^assay:\/\/datasets\//u, "")] : []
  })
  return [...new Set(found)]
}
