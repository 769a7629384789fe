import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"

/** Runs a plan of 300 rows on a journal, and records each row that it asks before the answer comes. */
const RUN = `
  const { appendFileSync } = await import("node:fs")
  const { setTimeout: sleep } = await import("node:timers/promises")
  const { runPlan } = await import(process.argv[1])
  const { openFileJournal } = await import(process.argv[2])
  const [journalPath, askedPath] = process.argv.slice(3)
  const sample = { output_text: "yes", response: null, usage: null, latency_ms: 1, finish_reason: "stop" }
  const call = async ({ row }) => {
    appendFileSync(askedPath, row + "\\n")
    await sleep(2)
    return sample
  }
  const rows = Array.from({ length: 300 }, (_, index) => ({ index, item: { row: index } }))
  const source = { open: async function* () { yield rows }, count: async () => rows.length }
  const limits = { repeats: 1, parallelism: 4, maxFailedShare: 0 }
  const task = { name: "qa", rows: source, ask: { kind: "call", call }, metrics: [], ...limits }
  const journal = await openFileJournal(journalPath)
  await runPlan({ tasks: [task], gates: [], pins: [], close: async () => {} }, {
    job: { attempt: 1, scope: { kind: "run" } },
    journal,
    environment: { now: Date.now, random: Math.random, sleep },
    signal: new AbortController().signal,
    onProgress() {}, onLog() {}, onFailure() {},
  })
  await journal.close()
`

it(
  "a process that is killed repeatedly asks no row again that is in the journal, and loses or doubles none",
  verifies("run.resume"),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "killed-"))
    const [journal, asked] = [join(folder, "rows.jsonl"), join(folder, "asked")]
    const lines = (path: string) => {
      try {
        return readFileSync(path, "utf8").split("\n").slice(0, -1)
      } catch {
        return []
      }
    }
    const journalled = () => lines(journal).map((line) => (JSON.parse(line) as { row_index: number }).row_index)
    const start = () => {
      const sources = ["../run-plan.ts", "../../journal/open-file-journal.ts"].map(
        (path) => new URL(path, import.meta.url).href,
      )
      const args = ["--input-type=module", "--eval", RUN, ...sources, journal, asked]
      return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] })
    }
    try {
      for (const kills of [60, 150]) {
        const [known, askedBefore] = [new Set(journalled()), lines(asked).length]
        const child = start()
        const exit = once(child, "exit")
        while (lines(asked).length < kills && child.exitCode === null) await sleep(5)
        child.kill("SIGKILL")
        await exit
        expect(
          lines(asked)
            .slice(askedBefore)
            .filter((row) => known.has(Number(row))),
        ).toEqual([])
      }
      const known = new Set(journalled())
      expect(known.size).toBeGreaterThan(100)
      const askedBefore = lines(asked).length
      expect(await once(start(), "exit")).toEqual([0, null])
      expect(lines(asked).slice(askedBefore)).toHaveLength(300 - known.size)
      expect(journalled().toSorted((a, b) => a - b)).toEqual([...Array(300).keys()])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
