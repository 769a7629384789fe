import { describe, expect, it } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { nameVariables, variableOf } from "./job-keys.ts"

const jobWith = (endpoint: object, others: object = {}): LaunchSubject => ({
  namespace: "team-a",
  target: {
    type: "model",
    model: { api_endpoint: { url: "https://models.example/v1", model_id: "chat", ...endpoint } },
  },
  config: { type: "custom", ...others },
})

describe("the keys of a job on an executor", () => {
  it("become variables, whose names say which secrets they are, and go to the hosts of their endpoints", () => {
    const { job, references, hosts } = nameVariables(jobWith({ api_key: "******", api_key_secret: "open.ai" }))
    expect(job.target.model?.api_endpoint).toEqual({
      url: "https://models.example/v1",
      model_id: "chat",
      api_key_env: "MODEL_KEY_TEAM_2DA__OPEN_2EAI",
    })
    expect([...references]).toEqual([["MODEL_KEY_TEAM_2DA__OPEN_2EAI", "open.ai"]])
    expect(hosts).toEqual(["models.example"])
  })

  it("have different variables for different secrets", () => {
    const names = ["a-b/c", "a/b-c", "a/b_c", "a/B_c", "a/b__c", "a_/b", "ab/c", "a/bc", "a/2dc", "a/-c"]
    const variables = names.map((name) => variableOf(name, "home"))
    expect(new Set(variables).size).toBe(names.length)
    for (const variable of variables) expect(variable).toMatch(/^[A-Z][A-Z0-9_]*$/)
    expect(variableOf("key", "home")).toBe(variableOf("home/key", "other"))
  })

  it.each([
    ["a variable of the processes", jobWith({ api_key_env: "AWS_SECRET_ACCESS_KEY" }), "names a variable"],
    [
      "a secret of a metric",
      jobWith({}, { tasks: { qa: { metrics: { far: { type: "remote", params: { token_secret: "t" } } } } } }),
      "'config.tasks.qa.metrics.far.params.token_secret' names a secret",
    ],
  ])("are refused if they are %s", (_, job, message) => {
    expect(() => nameVariables(job)).toThrow(message)
  })
})
