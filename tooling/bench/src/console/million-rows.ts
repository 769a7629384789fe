import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { CLI_MAIN } from "../assay-server.ts"
import { atLeast, atMost, forComparison, type Measurement } from "../bench.ts"
import { median } from "../measure/median.ts"
import { runCommand } from "../measure/run-command.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"
import { heapBytes, scrollFrames } from "./page-measures.ts"

const ROWS = 1_000_000
const SCROLLED_SECONDS = 5
const FILESET = "/apis/files/v2/workspaces/default/filesets/million"
const SCHEMA = {
  type: "object",
  properties: { id: { type: "integer" }, text: { type: "string" }, score: { type: "number", minimum: 0 } },
  required: ["id", "text", "score"],
}

/** The address of the table. */
export const MILLION_ROWS = "/rows/default/million?path=rows.jsonl"

/** Writes a file of a million short rows, of which every thousandth does not fit the schema. */
async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file)
  for (let first = 0; first < ROWS; first += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, place) => {
      const id = first + place
      const score = id % 1000 === 7 ? '"none"' : (place * 7919) % 1000
      return `{"id":${id},"text":"row ${id}","score":${score}}\n`
    })
    if (!out.write(lines.join(""))) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
}

/** Stores the rows in a fileset with their schema. */
export async function storeMillionRows({ url, folder }: ConsoleSubject): Promise<void> {
  const file = join(folder, "rows.jsonl")
  await writeRows(file)
  await runCommand(process.execPath, [CLI_MAIN, "push", file, "default/million"], { ASSAY_URL: url })
  const answer = await fetch(`${url}${FILESET}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { dataset: { schema: SCHEMA } } }),
  })
  if (!answer.ok) throw new Error(`The schema was not stored: ${answer.status}`)
}

/** Measures the table of a million rows, and what the server needs to search them. */
export async function measureMillionRows(subject: ConsoleSubject): Promise<readonly Measurement[]> {
  const page = await openPage(subject.browser, `${subject.url}${MILLION_ROWS}`)
  await page.getByText("1,000,000 rows").waitFor()
  await page.getByText("row 5", { exact: true }).waitFor()
  const frames = await scrollFrames(page, SCROLLED_SECONDS)
  const heap = (await heapBytes(page)) / 2 ** 20
  const jumps: number[] = []
  for (const index of [900_000, 100_000, 899_000, 500_000, 901_000]) {
    await page.getByLabel("Go to row").fill(String(index))
    const started = performance.now()
    await page.getByLabel("Go to row").press("Enter")
    await page.getByText(`row ${index}`, { exact: true }).first().waitFor()
    jumps.push(performance.now() - started)
  }
  await page.close()
  return [
    atLeast(
      { work: "scroll over a million rows", does: "Frames a second while each frame scrolls by 400 pixels." },
      frames,
      50,
      "frames/s",
    ),
    atMost({ work: "heap of that page", does: "MiB after the scroll and a collection of garbage." }, heap, 120, "MiB"),
    atMost(
      { work: "jump to a far row", does: "Milliseconds from enter to the row on the screen, median of 5." },
      median(jumps),
      200,
      "ms",
    ),
  ]
}

const SEARCHES = [
  ["filter of a number", "rows/search?path=rows.jsonl&filter[score]=500"],
  ["filter of a text", "rows/search?path=rows.jsonl&filter[text][$like]=777"],
  ["filter of invalid rows", "rows/search?path=rows.jsonl&invalid=true"],
  ["invalid rows of a filter", "rows/search?path=rows.jsonl&invalid=true&filter[score][$lt]=500"],
] as const

/** Measures the first answers to searches of a million rows. Ask a server that has not searched them before. */
export async function measureSearches({ url, cpuSeconds }: ConsoleSubject): Promise<readonly Measurement[]> {
  const ask = async (path: string) => {
    const cpu = await cpuSeconds()
    const started = performance.now()
    for (;;) {
      const answer = await fetch(`${url}${FILESET}/${path}`)
      const { is_complete: isComplete } = (await answer.json()) as { readonly is_complete?: boolean }
      if (!answer.ok) throw new Error(`${path} returned ${answer.status}`)
      if (isComplete !== false) break
    }
    return { seconds: (performance.now() - started) / 1000, cpu: (await cpuSeconds()) - cpu }
  }
  // Whoever filters has seen rows: this indexes the file.
  await ask("rows?path=rows.jsonl&limit=1")
  const found: Measurement[] = []
  for (const [work, path] of SEARCHES) {
    const { seconds, cpu } = await ask(path)
    const does = "Seconds to the number of matches among a million indexed rows."
    found.push(atMost({ work, does }, seconds, 2, `s; ${cpu.toFixed(2)} s of CPU`))
  }
  const { seconds, cpu } = await ask("profile?path=rows.jsonl")
  const does = "Seconds to the statistics of all columns of a million rows."
  found.push(
    forComparison({ work: "statistics of columns", does }, `${seconds.toFixed(2)} (s; ${cpu.toFixed(2)} s of CPU)`),
  )
  return found
}
