import { describe, expect, it } from "vitest"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { scriptedCandidate } from "../../testing/scripted-candidate.ts"
import { reduceCheck } from "../asking/judged-prompt.ts"
import { reportCalibration } from "../report/report-calibration.ts"
import { tallyJudgements, type Judgement } from "./tally-judgements.ts"

const signal = new AbortController().signal
const prompts = numberedPrompts(12, 8).map((one, at) => ({ ...one, category: `topic ${at % 3}` }))
const candidates = ["a", "b"].map((name, own) =>
  scriptedCandidate(name, ({ prompt }, nth) => {
    const number = Number(prompt.split(" ")[1])
    if (number === 5 + own) return { unreadable: "no_verdict" }
    return { says: prompt.startsWith("unsafe") !== number < 2 + own + nth ? "unsafe" : "safe", score: number / 12 }
  }),
)

async function judgements(): Promise<Judgement[]> {
  const found: Judgement[] = []
  for (const candidate of candidates) {
    for (const [row, prompt] of prompts.entries()) {
      for (const repeat of [0, 1]) {
        const judged = reduceCheck(await candidate.judge(prompt, { signal }))
        found.push({ judge: candidate.name, row, prompt, repeat, judged })
      }
    }
  }
  return found
}

async function* streamOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

describe("judgements that were made before", () => {
  it("are reported like answers, in whatever order they come", async () => {
    const known = await judgements()
    const again = candidates.map(({ name }) => ({
      name,
      digest: name,
      judge: () => Promise.reject(new Error("Every answer is in the journal.")),
    }))
    const inTurn = known.toSorted((a, b) => a.row - b.row || a.repeat - b.repeat || a.judge.localeCompare(b.judge))
    const journal = {
      read: () => inTurn.shift()?.judged,
      append: () => {},
      appendPlan: () => {},
      plans: () => [],
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    const asked = reportCalibration(await measure(again, prompts, { repeat: 2, journal }), { data: "rows" })
    for (const ordered of [known, known.toReversed()]) {
      const run = await tallyJudgements(streamOf(ordered), { judges: ["a", "b"], repeat: 2 })
      const report = reportCalibration(run, { data: "rows" })
      expect(JSON.stringify({ ...report, asked: 0, reused: 80 })).toBe(JSON.stringify(asked))
      expect(report.asked).toBe(80)
    }
  })

  it("leave out rows that nobody judged, and keep the numbers of the others", async () => {
    const all = (await judgements()).filter(({ row, judge }) => row > 2 && (judge === "a" || row < 10))
    const run = await tallyJudgements(streamOf(all), { judges: ["a", "b", "c"] })
    const { rows, judges } = reportCalibration(run, { data: "rows" })
    expect(rows).toEqual({ total: 17, safe: 9, unsafe: 8 })
    expect(judges.map(({ safe, unsafe }) => [safe, unsafe])).toEqual([
      [9, 8],
      [7, 0],
      [0, 0],
    ])
    expect(judges[0]?.unreadable_examples.map(({ row }) => row)).toEqual([6, 18])
  })
})
