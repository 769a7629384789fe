import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { readEvaluationContent } from "./evaluation-content.ts"

const FILE = {
  target: { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "m" } } },
  config: {
    type: "custom",
    tasks: { qa: { type: "data", dataset: { files_url: "./rows.csv" }, metrics: { f: { type: "f1", params: {} } } } },
  },
}

/** Returns what is wrong with the file if it has `to` instead of the key `from`. */
function faultOf(from: string, to: string): string {
  const text = JSON.stringify(FILE, null, 1).replace(`"${from}":`, `"${to}":`)
  try {
    readEvaluationContent(parseYaml(text, "eval.json"))
    return ""
  } catch (error) {
    return error instanceof Error ? error.message : ""
  }
}

describe("a misspelt key of an evaluation file", () => {
  it.each([
    ["target", "targets", "targets"],
    ["api_endpoint", "api_endpont", "target.model.api_endpont"],
    ["model_id", "modelid_", "target.model.api_endpoint.modelid_"],
    ["tasks", "task_s_", "config.task_s_"],
    ["metrics", "metricss", "config.tasks.qa.metricss"],
    ["dataset", "datset", "config.tasks.qa.datset"],
  ])("%s as %s is named with file and line", (from, to, path) => {
    const message = faultOf(from, to)
    expect(message).toMatch(/^eval\.json:\d+:\d+: /)
    expect(message).toContain(`'${path}': there is no such field; did you mean '${from}'?`)
  })

  it("is not a key of one's own, a key beside the one that it resembles, or a parameter", () => {
    expect(faultOf("none", "none")).toBe("")
    const own = { owner: "a", metric: 1, metrics: FILE.config.tasks.qa.metrics }
    const task = { ...FILE.config.tasks.qa, ...own, params: { limit_sample: 1 } }
    const text = JSON.stringify({ ...FILE, config: { ...FILE.config, tasks: { qa: task } } })
    expect(readEvaluationContent(parseYaml(text, "eval.json")).config).toMatchObject({ tasks: { qa: { owner: "a" } } })
  })
})
