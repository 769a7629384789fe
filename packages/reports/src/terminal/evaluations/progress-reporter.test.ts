import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatEvaluationProgress, type ShownProgress } from "./format-evaluation-progress.ts"
import { createProgressReporter } from "./progress-reporter.ts"

const progressAt = (processed: number, over: Partial<ShownProgress> = {}): ShownProgress => ({
  processed,
  total: 200,
  failed: 0,
  means: {},
  tokens: { prompt: 0, completion: 0 },
  ...over,
})

describe("the progress of an evaluation", () => {
  it(
    "shows rate, remaining time, failures, running means, tokens and cost",
    verifies("cli.eval.run", "cli.progress"),
    () => {
      const means = { "t.correct.string-check": 0.83, "t.cost.cost": 0.0001, "t.latency.latency_ms": 20 }
      const progress = progressAt(120, { failed: 2, means, tokens: { prompt: 12_000, completion: 400 } })
      expect(formatEvaluationProgress(progress, 2000, 20)).toBe(
        "120 of 200 rows  50/s  1.6 s left  2 failed  correct.string-check 0.83  12.4k tokens  cost 0.012",
      )
    },
  )

  it("leaves out unknown values", () => {
    expect(formatEvaluationProgress(progressAt(0, { total: null }), 0, 0)).toBe("0 rows")
  })

  function print(isTerminal: boolean, json = false): string[] {
    const written: string[] = []
    let time = 0
    const stderr = { write: (text: string) => written.push(text) }
    const screen = { stderr, isTerminal: { stderr: isTerminal }, columns: () => 100, now: () => (time += 60) }
    const reporter = createProgressReporter(screen, { json })
    for (let row = 50; row <= 200; row += 5) reporter.show(progressAt(row))
    reporter.say("done")
    reporter.end()
    return written
  }

  it("is not written to files and pipes, which get whole lines only", verifies("cli.progress"), () => {
    expect(print(false)).toEqual(["done\n"])
  })

  it("is one line on a terminal that is overwritten", verifies("cli.progress"), () => {
    const written = print(true)
    expect(written.at(-2)).toBe("\r\u001B[K")
    expect(written.at(-1)).toBe("done\n")
    expect(written.slice(0, -2).every((text) => text.startsWith("\r\u001B[K") && !text.includes("\n"))).toBe(true)
  })

  it("prints nothing with --json, which reserves stderr for the error object", verifies("cli.json.streams"), () =>
    expect(print(false, true)).toEqual([]),
  )
})
