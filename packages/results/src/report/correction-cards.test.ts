import type { ScoreCorrection } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { resultOf, summaryOf } from "../testing/tiny-result.ts"
import { listScores } from "../scores/list-scores.ts"
import { correctionCards } from "./correction-cards.ts"

const interval = (low: number, high: number) => ({ low, high, confidence: 0.95, method: "skew-adjusted-t" })
const CORRECTION: ScoreCorrection = {
  fileset: "default/labels",
  rows: 300,
  labels: 120,
  picked: 0,
  elsewhere: 3,
  judge: { mean: 0.6, interval: interval(0.544, 0.654) },
  people: { mean: 0.483, interval: interval(0.392, 0.574) },
  corrected: { mean: 0.497, interval: interval(0.425, 0.568) },
  power: 0.7,
  worth: 199,
  verdict: null,
  labels_needed: 200,
  labels_missing: 0,
  notes: ["A note with <b>markup</b>."],
}

function cardsOf(corrected: ScoreCorrection | undefined): string {
  const good = { ...summaryOf([0, 1, 1]), corrected }
  return correctionCards(listScores(resultOf({ task: "qa", metrics: { judge: { good } } })))?.html ?? ""
}

it(
  "A corrected score is drawn as three means on one scale, with the corrected one in front",
  verifies("eval.labels.option"),
  () => {
    const card = cardsOf(CORRECTION)
    expect(card.match(/<g class="estimate/g)).toHaveLength(3)
    expect(card.match(/class="estimate chosen"/g)).toHaveLength(1)
    expect(card).toMatch(/chosen">\s*<title>judge, corrected by people: 0\.497, 0\.425 to 0\.568<\/title>/)
    expect(card).toContain("With the judge, 120 labels are worth 199 without it.")
    expect(card).toContain("A note with &lt;b&gt;markup")
    // 0.6 is at 60 % of the scale from 190 to 360.
    expect(card).toMatch(/<circle class="mean" cx="292\.0"/)
  },
)

it("A score without enough labels is drawn without intervals, on the scale of its values", () => {
  const card = cardsOf({
    ...CORRECTION,
    judge: { mean: 4, interval: null },
    people: { mean: 2, interval: null },
    corrected: { mean: 3, interval: null },
    labels_missing: 3,
  })
  expect(card).toContain("no interval")
  expect(card).not.toMatch(/stroke-opacity/)
  expect(card).toMatch(/cx="360\.0"[^]*cx="190\.0"[^]*cx="275\.0"/)
})

it("Scores without labels have no section", () => expect(cardsOf(undefined)).toBe(""))
