import { AssayError, type EvaluationConfigBody, type EvaluationTargetBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLaunchPorts, type LaunchPortsOptions } from "../testing/create-launch-ports.ts"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"

let datastore: FolderDatastore
let fake: FakeInference
beforeAll(async () => {
  datastore = await openFolderDatastore()
  fake = await startFakeInference()
})
afterAll(async () => {
  await datastore[Symbol.asyncDispose]()
  await fake.close()
})

const ROWS: EvaluationTargetBody = {
  type: "rows",
  rows: [{ output: "4", answer: "4", prompt: "Hello", label: "safe" }],
}

/** Returns the failed checks as check and code. */
async function failuresOf(config: EvaluationConfigBody, environment: LaunchPortsOptions = {}, target = ROWS) {
  const options = { signal: new AbortController().signal }
  const subject = { target, config, namespace: "default" }
  const { failed } = await checkLaunch(subject, createLaunchPorts(datastore, environment), options)
  return failed.map(({ check, code }) => `${check} ${code}`)
}

function scoring(metric: { readonly type: string; readonly params: Record<string, unknown> }): EvaluationConfigBody {
  return { type: "custom", tasks: { qa: { type: "data", metrics: { metric } } } }
}
const comparing = (left: string) => scoring({ type: "string-check", params: { check: [left, "equals", "{{answer}}"] } })

describe("the check of the shape", () => {
  it("reports parts that do not fit, and templates that do not compile", verifies("launch.fit"), async () => {
    expect(await failuresOf(comparing("{{sample.output_text}}"))).toEqual([])
    expect(await failuresOf(comparing("{{ a }} {{"))).toEqual(["shape template_error"])
    expect(await failuresOf(scoring({ type: "stringcheck", params: {} }))).toEqual(["shape invalid_request"])
    expect(await failuresOf(comparing("4"), {}, { type: "cached_outputs" })).toEqual(["shape invalid_request"])
    expect(await failuresOf({ type: "custom", tasks: {} })).toEqual(["shape invalid_request"])
  })

  it("refuses to limit the cost of a model without a price", async () => {
    const config = { ...comparing("4"), params: { budget: { max_cost: 1 } } }
    const target = {
      type: "model",
      model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "echo" } },
    } as const
    const refused = async (model: string) => {
      const prices = { currency: "EUR", models: [{ model, prompt_price: 1, completion_price: 1 }] }
      return (await failuresOf(config, { prices }, target)).filter((one) => one === "shape invalid_request").length
    }
    expect(await refused("other")).toBeGreaterThan(await refused("echo"))
  })

  it("refuses a harness if none may run here", async () => {
    const config: EvaluationConfigBody = { type: "benchmark", harness: { command: ["node", "run.js"] } }
    expect(await failuresOf(config)).toEqual(["shape harness_not_allowed"])
    expect(await failuresOf(config, { harnessEnvironment: {} })).toEqual([])
  })

  it("refuses a remote metric at an address that is not allowed", async () => {
    const checkEndpoint = (url: string) => {
      if (url.includes("metrics.example")) throw new AssayError("host_not_allowed", `The host of ${url} is not listed`)
    }
    const at = (url: string) => scoring({ type: "remote", params: { url, scores: { good: "$.good" } } })
    expect(await failuresOf(at("http://metrics.example/"), { checkEndpoint })).toEqual(["endpoint host_not_allowed"])
    expect(await failuresOf(at("http://127.0.0.1/"), { checkEndpoint })).toEqual([])
  })
})

describe("the guardrail of a launch", () => {
  const models = [{ type: "main", model: "self-check", url: "http://127.0.0.1:1/v1" }]
  const rails = { input: { flows: ["self check input"] } }
  const guarding = (guardrail: unknown) => ({ type: "content_safety", params: { guardrail } }) as EvaluationConfigBody

  it("is checked by calls of its judges", verifies("launch.endpoints"), async () => {
    expect(await failuresOf(guarding({ models, rails }))).toEqual(["endpoint inference_unreachable"])
    const near = models.map((model) => ({ ...model, url: `${fake.url}/v1` }))
    expect(await failuresOf(guarding({ models: near, rails }))).toEqual([])
    expect(fake.requests.map(({ chat }) => chat?.model)).toEqual(["self-check"])
  })

  it("is reported if it does not exist", async () => {
    expect(await failuresOf(guarding("none"))).toEqual(["shape not_found"])
    const getGuardrail = async () => ({ models, rails })
    expect(await failuresOf(guarding("mine"), { getGuardrail })).toEqual(["endpoint inference_unreachable"])
  })
})
