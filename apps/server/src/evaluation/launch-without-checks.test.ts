import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { askConfig, endOf, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer } from "../testing/start-test-server.ts"

it("A launch without checks does not pass a budget that is used up", verifies("budgets.sent"), async () => {
  const fake = await startFakeInference()
  onTestFinished(() => fake.close())
  await using server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n' })
  const set = await server.call("PUT", "/apis/entities/v2/workspaces/default/budget", { json: { max_requests: 1 } })
  expect(set.status).toBe(200)
  const json = { target: modelTarget(fake.url), config: askConfig("assay://datasets/default/words/rows.jsonl") }
  const launch = () => server.call("POST", `${EVALUATION}/jobs?skip_validation_checks=true`, { json })
  const first = await launch()
  expect(first.status).toBe(201)
  await endOf(server, first.json.id)
  const refused = await launch()
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("budget_exhausted")
  expect(refused.text).toContain("1 of 1 requests")
})
