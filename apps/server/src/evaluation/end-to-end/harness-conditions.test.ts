import { CONDITION_SIGNALS } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EVALUATION } from "../../testing/evaluation-bodies.ts"
import { explainedJob } from "../../testing/explained-job.ts"
import { startTestServer, type TestServer } from "../../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    ASSAY_HARNESS_ENVIRONMENT: '{"MODE":"quick"}',
    ASSAY_HARNESS_ISOLATION: "trusted",
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Returns a benchmark whose harness is a Node script. */
const benchmark = (script: string) => ({
  target: { type: "model", model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "chat" } } },
  config: {
    type: "benchmark",
    harness: { command: [process.execPath, "-e", script, "{{ target.model_id }}"], environment: { SHOTS: "5" } },
  },
})

it("A benchmark runs its harness, and its scores are the result", verifies("metric.benchmark"), async () => {
  const script = `const { env, argv } = process
    require("node:fs").writeFileSync(env.ASSAY_RESULTS, JSON.stringify({ gpqa: { accuracy: { exact: 0.25 } } }))
    console.log([env.MODE, env.SHOTS, argv.at(-1), Object.keys(env).filter((name) => name.startsWith("npm")).length].join(" "))`
  const { id, status, conditions } = await explainedJob(server, benchmark(script))
  expect([status, conditions]).toEqual(["COMPLETED", []])
  const { json } = await server.call("GET", `${EVALUATION}/jobs/${id}/results`)
  expect(json.tasks.gpqa.metrics.accuracy.scores.exact.value).toBe(0.25)
  const { text } = await server.call("GET", `${EVALUATION}/jobs/${id}/logs?format=text`)
  expect(text).toContain("quick 5 chat 0")
})

it.each([
  ["gated_dataset", CONDITION_SIGNALS.gated_dataset.lines],
  ["inference_tls", CONDITION_SIGNALS.inference_tls.lines],
  ["judge_output_unreadable", CONDITION_SIGNALS.judge_output_unreadable.lines],
] as const)(
  "A benchmark that fails with %s in its log is explained",
  verifies("metric.benchmark", "condition.text", "brief.condition.gated"),
  async (code, lines) => {
    const script = `for (const line of ${JSON.stringify(lines)}) console.error(line); process.exit(2)`
    const { status, condition } = await explainedJob(server, benchmark(script))
    expect(status).toBe("FAILED")
    expect(condition(code).evidence[0]).toContain(lines[0]?.slice(0, 200))
    expect(condition("harness_failed").message).toContain("exit code 2")
  },
)

it("A server runs no harness unless its operator allows it", async () => {
  await using strict = await startTestServer()
  const body = { ...benchmark(""), target: { type: "rows", rows: [] } }
  const refused = await strict.call("POST", `${EVALUATION}/jobs`, { json: body })
  const [check] = refused.json.failed_checks
  expect([refused.json.code, check.code]).toEqual(["launch_refused", "harness_not_allowed"])
  const { status, summary } = await explainedJob(strict, body)
  expect([status, summary]).toEqual(["FAILED", expect.stringContaining("harnesses are not allowed here")])
})
