import { AssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { scriptedCandidate } from "../../testing/scripted-candidate.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"

const says = { says: "safe" } as const

describe("a calibration", () => {
  it("asks the candidates in turns about each row, as often as repeat says", async () => {
    const order: string[] = []
    const candidates = ["a", "b"].map((name) =>
      scriptedCandidate(name, ({ prompt }, nth) => {
        order.push(`${name} ${prompt} ${nth}`)
        return says
      }),
    )
    const run = await measure(candidates, numberedPrompts(2, 0), { repeat: 2, parallelism: 1 })
    expect(order).toEqual([
      "a safe 0 0",
      "b safe 0 0",
      "a safe 0 1",
      "b safe 0 1",
      "a safe 1 0",
      "b safe 1 0",
      "a safe 1 1",
      "b safe 1 1",
    ])
    expect(run).toMatchObject({ asked: 8, reused: 0 })
  })

  it("keeps at most `parallelism` questions in flight, and does not read further ahead", async () => {
    let inFlight = 0
    let most = 0
    let read = 0
    let furthest = 0
    async function* rows(): AsyncGenerator<LabelledPrompt> {
      for (const row of numberedPrompts(40, 0)) {
        read++
        yield row
      }
    }
    const answers = scriptedCandidate("a", () => says)
    let answered = 0
    const counting = {
      ...answers,
      judge: async (...given: Parameters<typeof answers.judge>) => {
        most = Math.max(most, ++inFlight)
        furthest = Math.max(furthest, read - answered)
        await new Promise((resolve) => setTimeout(resolve, 1))
        inFlight--
        answered++
        return answers.judge(...given)
      },
    }
    await measure([counting], [], { rows: rows(), parallelism: 7 })
    expect(most).toBe(7)
    expect(furthest).toBeLessThanOrEqual(8)
  })

  it("ends with the reason of its signal and asks nothing more", async () => {
    const stop = new AbortController()
    const candidate = scriptedCandidate("a", () => says, { delayMs: 1 })
    const onProgress = ({ asked }: { asked: number }) => {
      if (asked === 5) stop.abort(new Error("enough"))
    }
    const run = measure([candidate], numberedPrompts(100, 0), { parallelism: 2, signal: stop.signal, onProgress })
    await expect(run).rejects.toThrow("enough")
    expect(candidate.asked.length).toBeLessThanOrEqual(7)
  })

  it("ends if the first ten prompts of a candidate all fail for a permanent reason", async () => {
    const candidate = scriptedCandidate("a", () => ({ error: "inference_unauthorized" }))
    const run = measure([candidate], numberedPrompts(500, 0), { parallelism: 4, repeat: 3 })
    await expect(run).rejects.toThrow('Judge "a" answered none of its first 10 prompts')
    await expect(run).rejects.toMatchObject({ code: "inference_unauthorized" })
    expect(candidate.asked.length).toBeLessThan(20)
  })

  it("continues after failures that may be temporary", async () => {
    const candidate = scriptedCandidate("a", ({ prompt }) => (prompt < "safe 5" ? { error: "rate_limited" } : says))
    const { judges } = await measure([candidate], numberedPrompts(60, 0), { parallelism: 1 })
    expect(judges[0]?.errors.get("rate_limited")).toBeGreaterThan(10)
    expect(judges[0]?.failures).toBe(judges[0]?.errors.get("rate_limited"))
    expect((judges[0]?.answers ?? 0) + (judges[0]?.failures ?? 0)).toBe(60)
  })

  it("ends with the error of reading the rows", async () => {
    async function* broken(): AsyncGenerator<LabelledPrompt> {
      yield { prompt: "a", label: "safe" }
      throw new AssayError("rows_invalid", "Row 2 is broken.")
    }
    const run = measure([scriptedCandidate("a", () => says)], [], { rows: broken() })
    await expect(run).rejects.toThrow("Row 2 is broken.")
  })

  it("refuses two candidates of the same name, and an empty list", async () => {
    const twice = [scriptedCandidate("a", () => says), scriptedCandidate("a", () => says)]
    await expect(measure(twice, [])).rejects.toThrow('Two candidates are called "a"')
    await expect(measure([], [])).rejects.toThrow("There is no candidate")
  })
})
