import { AssayError, type EvaluationConfigBody, type EvaluationTargetBody } from "@assay/schemas"
import { createTestCertificates, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createLaunchPorts, type LaunchPortsOptions } from "../testing/create-launch-ports.ts"
import { type FolderDatastore, openFolderDatastore } from "@assay/evaluation/testing"
import { checkLaunch } from "./check-launch.ts"

const certificates = createTestCertificates()
let datastore: FolderDatastore
let open: FakeInference
let locked: FakeInference
let secure: FakeInference
beforeAll(async () => {
  datastore = await openFolderDatastore()
  open = await startFakeInference()
  locked = await startFakeInference({ key: "right" })
  secure = await startFakeInference({ tls: certificates.fullChain })
})
afterAll(async () => {
  await Promise.all([open.close(), locked.close(), secure.close(), datastore[Symbol.asyncDispose]()])
})
beforeEach(() => open.faults.clear())

type Endpoint = Readonly<Record<string, string>>
const modelAt = (url: string, more: Endpoint = {}) => ({
  api_endpoint: { url: `${url}/v1`, model_id: "chat", ...more },
})

function judgeOf(model: unknown) {
  const scores = { quality: { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "quality" } } }
  const template = { messages: [{ role: "user", content: "Rate {{sample.output_text}}" }] }
  return { type: "llm-judge", params: { model, template, scores } }
}

/** Checks a launch with rows and one judge for each model. */
function launch([target, ...judges]: readonly unknown[], environment: LaunchPortsOptions = {}) {
  const body = { type: "rows", rows: [{ output: "four" }] } as const
  const metrics = Object.fromEntries([target, ...judges].map((model, index) => [`judge${index}`, judgeOf(model)]))
  const config = { type: "custom", tasks: { qa: { type: "data", metrics } } } as EvaluationConfigBody
  const subject = { target: body as unknown as EvaluationTargetBody, config, namespace: "default" }
  return checkLaunch(subject, createLaunchPorts(datastore, environment), { signal: new AbortController().signal })
}
const failuresOf = async (...launched: Parameters<typeof launch>) =>
  (await launch(...launched)).failed.map(({ check, code, message }) => ({ check, code, message }))

describe("the check of endpoints", () => {
  it(
    "reports an endpoint that does not answer",
    verifies("launch.endpoints", "brief.condition.inference-unreachable"),
    async () => {
      const [failed] = await failuresOf([modelAt("http://127.0.0.1:1")])
      expect(failed).toMatchObject({ check: "endpoint", code: "inference_unreachable" })
      expect(failed?.message).toMatch(
        /^Error connecting to inference server \(config\.tasks\.qa\.metrics\.judge0\.params\.model\): .*127\.0\.0\.1:1/,
      )
    },
  )

  it(
    "reports an untrusted certificate, and accepts it with the certificate of its issuer",
    verifies("launch.endpoints", "brief.condition.inference-tls"),
    async () => {
      const [failed] = await failuresOf([modelAt(secure.url)])
      expect(failed).toMatchObject({
        code: "inference_tls",
        message: expect.stringMatching(/^Inference SSL error \(config/),
      })
      expect(await failuresOf([modelAt(secure.url, { ca: certificates.ca })])).toEqual([])
    },
  )

  it("reports a wrong key without its value", verifies("launch.endpoints"), async () => {
    const secrets = { bad: "sk-wrong-key-123", good: "right" }
    const report = await launch([modelAt(locked.url, { api_key_secret: "bad" })], { secrets })
    expect(report.failed).toMatchObject([{ code: "inference_unauthorized" }])
    expect(JSON.stringify(report)).not.toContain("sk-wrong-key-123")
    expect(await failuresOf([modelAt(locked.url, { api_key_secret: "good" })], { secrets })).toEqual([])
  })

  it("reports a secret that does not exist", async () => {
    const [failed] = await failuresOf([modelAt(open.url, { api_key_secret: "none" })])
    expect(failed).toMatchObject({ code: "secret_not_readable", message: expect.stringContaining("'none'") })
  })

  it("reports an unknown model with similar names", verifies("launch.endpoints"), async () => {
    const [failed] = await failuresOf([modelAt(open.url, { model_id: "chatt" })])
    expect(failed?.code).toBe("model_not_found")
    expect(failed?.message).toMatch(/answers 404 with '[^']*'\.$/)
  })

  it("says in its message nothing that its remedy says, and names what it could not try", async () => {
    const { failed } = await launch([modelAt("http://127.0.0.1:1"), modelAt(open.url, { model_id: "chatt" })])
    expect(failed.map(({ message }) => message).join()).not.toMatch(/host and port|similar names/)
    expect(failed.map(({ remedy }) => remedy)).toEqual([
      "Check that the model server runs there, and host and port of the URL.",
      expect.stringContaining("similar names are 'chat'"),
    ])
  })

  it("reports an address that is not allowed, and does not call it", async () => {
    const before = open.requests.length
    const checkEndpoint = () => {
      throw new AssayError("host_not_allowed", "The host is not on the list")
    }
    const [failed] = await failuresOf([modelAt(open.url)], { checkEndpoint })
    expect(failed).toMatchObject({ check: "endpoint", code: "host_not_allowed" })
    expect(open.requests.length).toBe(before)
  })

  it("calls again with max_completion_tokens if max_tokens is refused", verifies("launch.endpoints"), async () => {
    const before = open.requests.length
    const isOld = ({ chat }: { readonly chat?: object | undefined }) => chat !== undefined && "max_tokens" in chat
    open.faults.add({ when: isOld, fault: { kind: "condition", condition: "parameter-unsupported" } })
    expect(await failuresOf([modelAt(open.url)])).toEqual([])
    const [first, second] = open.requests.slice(before).map(({ chat }) => chat)
    expect(first).toMatchObject({ max_tokens: 1 })
    expect(second).toMatchObject({ max_completion_tokens: 1 })
  })

  it.each([
    ["rate-limited", "rate_limited"],
    ["loading", "model_loading"],
  ] as const)("warns of one that is busy: %s", async (condition, code) => {
    open.faults.add({ fault: { kind: "condition", condition } })
    const { failed, warnings } = await launch([modelAt(open.url)])
    expect([failed, warnings.filter(({ check }) => check === "endpoint").map((one) => one.code)]).toEqual([[], [code]])
  })

  it("calls each endpoint once, even if several metrics name it", async () => {
    const before = open.requests.length
    await launch([modelAt(open.url), modelAt(open.url), modelAt(open.url, { model_id: "echo" })])
    const asked = open.requests.slice(before).flatMap(({ chat }) => (chat?.["max_tokens"] === 1 ? [chat.model] : []))
    expect(asked.toSorted()).toEqual(["chat", "echo"])
  })
})

describe("a judge with a known example", () => {
  it("causes a warning with its answer if it misses the format", verifies("launch.judge-format"), async () => {
    const { failed, warnings } = await launch([modelAt(open.url, { model_id: "rambler" })])
    expect(failed).toEqual([])
    expect(warnings).toMatchObject([{ check: "judge_format", code: "judge_output_unreadable" }])
    expect(warnings[0]?.message).toMatch(
      /The judge of metric 'judge0' in task 'qa' missed the required format.*it said '.+'/,
    )
  })

  it("causes no warning if it keeps the format", verifies("launch.judge-format"), async () => {
    const body = {
      choices: [{ index: 0, message: { role: "assistant", content: '{"quality": 4}' }, finish_reason: "stop" }],
    }
    open.faults.add({ fault: { kind: "answer", status: 200, body } })
    expect(await launch([modelAt(open.url)])).toMatchObject({ failed: [], warnings: [] })
  })
})
