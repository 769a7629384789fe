import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import type { Browser } from "playwright-core"
import { CLI_MAIN } from "../assay-server.ts"
import { atMost, type Measurement } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { askingConfig, modelAt } from "../evaluate/evaluation-file.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { runCommand } from "../measure/run-command.ts"
import { startEventProxy } from "./event-proxy.ts"
import { heapBytes } from "./page-measures.ts"

const EVENTS = 10_000
/** Answers come after the measurement, so that the job runs all the time. */
const ANSWER_MS = 3_600_000
/** The page draws events a few times a second. */
const DRAWN_MS = 1000
const TABS = ["overview", "log"]
/** In MiB. Compiled code takes up to 0.2; events that were kept would take at least 0.7. */
const MAX_GROWTH = 0.5

interface LiveEventsOptions {
  readonly url: string
  readonly folder: string
  readonly browser: Browser
}

/** Measures how much the heap of the page of a running job grows while the second half of 10,000 events arrives. */
export async function measureLiveEvents({ url, folder, browser }: LiveEventsOptions): Promise<readonly Measurement[]> {
  const endpoint = await startChildServer(fakeServer("chat"), [String(ANSWER_MS)])
  const proxy = await startEventProxy(url)
  try {
    const id = await launch(url, folder, endpoint.url)
    const measurements: Measurement[] = []
    for (const tab of TABS) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.goto(`${proxy.url}/jobs/${id}?tab=${tab}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await proxy.send(EVENTS / 2)
      await wait(DRAWN_MS)
      const half = await heapBytes(page)
      await proxy.send(EVENTS / 2)
      await wait(DRAWN_MS)
      const end = await heapBytes(page)
      await page.close()
      const does = `MiB by which the heap grows in the second half of ${EVENTS} live events, each after a collection of garbage.`
      const detail = `MiB; ${(half / 2 ** 20).toFixed(1)} → ${(end / 2 ** 20).toFixed(1)}`
      const growth = (end - half) / 2 ** 20
      measurements.push(atMost({ work: `live events on a job's ${tab}`, does }, growth, MAX_GROWTH, detail))
    }
    await fetch(`${url}/v1/evaluation/jobs/${id}/cancel`, { method: "POST" })
    return measurements
  } finally {
    await proxy.close()
    await endpoint.stop()
  }
}

async function launch(url: string, folder: string, endpoint: string): Promise<string> {
  const file = join(folder, "questions.jsonl")
  await writeFile(file, '{"question":"What is the capital of France?"}\n')
  await runCommand(process.execPath, [CLI_MAIN, "push", file, "default/live"], { ASSAY_URL: url })
  const config = askingConfig("default/live", 1, 1)
  const params = { ...config.params, request_timeout: ANSWER_MS / 1000 }
  const answer = await fetch(`${url}/v1/evaluation/jobs?skip_validation_checks=1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ target: modelAt(endpoint), config: { ...config, params } }),
  })
  const { id } = (await answer.json()) as { readonly id?: string }
  if (id === undefined) throw new Error(`The job was not launched: ${answer.status}`)
  return id
}
