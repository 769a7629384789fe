import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { CLI_MAIN } from "../assay-server.ts"
import { atMost, type Measurement } from "../bench.ts"
import { runCommand } from "../measure/run-command.ts"
import { firstRow } from "./first-view.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"

const ROWS = 50_000
const DEADLINE_MS = 300_000

/** The filters and orders of the rows of a job, each with the number of rows it has. */
const QUESTIONS = [
  ["where=item:question~7", 17_195],
  ["where=item:topic~art", ROWS / 5],
  ["where=output~answer", ROWS],
  ["where=score:same.string-check<1", ROWS / 2],
  ["sort=-item:question", ROWS],
  ["sort=-score:same.string-check", ROWS],
  ["sort=-item:topic&where=item:topic~law", ROWS / 5],
  ["sort=output&where=item:topic~law", ROWS / 5],
] as const

const TOPICS = ["art", "law", "sea", "sun", "ice"]

/** Runs a job that scores 50,000 outputs. Returns its id. */
export async function runLargeJob({ url, folder }: ConsoleSubject): Promise<string> {
  const file = join(folder, "outputs.jsonl")
  const lines = Array.from({ length: ROWS }, (_, index) =>
    JSON.stringify({
      question: `question ${index}`,
      topic: TOPICS[index % TOPICS.length],
      output: `answer ${index % 2 === 0 ? "yes" : "no"} to ${index}`,
    }),
  )
  await writeFile(file, lines.join("\n"))
  await runCommand(process.execPath, [CLI_MAIN, "push", file, "default/outputs"], { ASSAY_URL: url })
  const check = { type: "string-check", params: { check: ["{{ item.output }}", "contains", "yes"] } }
  const config = { type: "custom", tasks: { qa: { type: "data", metrics: { same: check } } } }
  const target = { type: "dataset", dataset: { files_url: "default/outputs" } }
  const jobs = `${url}/v1/evaluation/jobs`
  const answer = await fetch(jobs, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ target, config }),
  })
  const text = await answer.text()
  const { id } = JSON.parse(text) as { readonly id?: string }
  if (id === undefined) throw new Error(`The job was not launched: ${text}`)
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const { status } = (await (await fetch(`${jobs}/${id}`)).json()) as { readonly status: string }
    if (status === "COMPLETED") return id
    if (/FAILED|CANCELLED/u.test(status) || performance.now() > deadline) throw new Error(`The job is ${status}`)
    await wait(200)
  }
}

/** Measures the table of the rows of a job. */
export async function measureJobRows(
  { url, browser, cpuSeconds }: ConsoleSubject,
  id: string,
): Promise<readonly Measurement[]> {
  const address = `${url}/jobs/${id}?tab=rows`
  const before = await cpuSeconds()
  const page = await openPage(browser, address)
  const first = await firstRow(page)
  const indexed = (await cpuSeconds()) - before
  let slowest = { seconds: 0, cpu: 0, question: "" }
  for (const [question, count] of QUESTIONS) {
    const cpu = await cpuSeconds()
    const started = performance.now()
    const answered = page.waitForResponse((response) => response.url().includes(`/jobs/${id}/rows?`))
    // The page is open: only its address changes, as a click does it.
    await page.evaluate(`history.pushState({}, "", ${JSON.stringify(`?tab=rows&${encodeURI(question)}`)})`)
    await answered
    await page
      .locator(`[role=grid][aria-rowcount="${count + 1}"] [role=gridcell]`)
      .first()
      .waitFor()
    const seconds = (performance.now() - started) / 1000
    if (seconds > slowest.seconds) slowest = { seconds, cpu: (await cpuSeconds()) - cpu, question }
  }
  await page.close()
  return [
    atMost(
      { work: "first row of a job", does: "Seconds to the first of 50,000 rows in a new browser profile." },
      first / 1000,
      1.5,
      `s; ${indexed.toFixed(2)} s of CPU`,
    ),
    atMost(
      {
        work: "filters and orders of a job",
        does: `The slowest of ${QUESTIONS.length} filters and orders of 50,000 rows, with the number of rows.`,
      },
      slowest.seconds,
      1,
      `s; ${slowest.cpu.toFixed(2)} s of CPU; ${slowest.question}`,
    ),
  ]
}
