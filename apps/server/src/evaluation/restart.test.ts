import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { EVALUATION, askConfig, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer } from "../testing/start-test-server.ts"

const LAST = /id: (\d+)\n(?!.*id: )/s

it(
  "The event stream of a job ends with its server and continues on the next one",
  verifies("eval.events"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-restart-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const fake = await startFakeInference()
    onTestFinished(() => fake.close())
    const first = await startTestServer({}, folder)
    await first.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
    await first.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n{"word":"b"}\n' })
    fake.faults.add({ fault: { kind: "hang" } })
    const config = askConfig("assay://datasets/default/words/rows.jsonl")
    const launched = await first.call("POST", `${EVALUATION}/jobs?skip_validation_checks=1`, {
      json: { target: modelTarget(fake.url), config },
    })
    const events = `${EVALUATION}/jobs/${launched.json.id}/events`
    await expect.poll(() => fake.requests.length).toBeGreaterThan(0)
    // Waits for the headers, so that the server that ends has the request.
    const streaming = await fetch(first.url + events)
    await first[Symbol.asyncDispose]()
    const before = await streaming.text()
    expect(before).toContain('"status":"RUNNING"')
    fake.faults.clear()

    await using second = await startTestServer({}, folder)
    const headers = { "last-event-id": LAST.exec(before)?.[1] ?? "" }
    const { text: after } = await second.call("GET", events, { headers })
    expect(after).toContain('"status":"COMPLETED"')
    expect(after).not.toContain('"status":"PENDING"')
  },
)
