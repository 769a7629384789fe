// Scores the answers of two models and says whether one is better. Run: node examples/programs/score-texts.ts
import { comparePaired, createSummary, f1 } from "@assay/metrics"

const rows = [
  { reference: "Paris", a: "Paris", b: "It is Paris." },
  { reference: "Mount Everest", a: "Everest", b: "Mount Everest" },
  { reference: "1969", a: "In 1969", b: "1968" },
  { reference: "H2O", a: "H2O", b: "H2O" },
  { reference: "seven", a: "seven colours", b: "seven" },
  { reference: "Marie Curie", a: "Marie Curie", b: "Pierre Curie" },
]
const scores = { a: rows.map((row) => f1(row.a, [row.reference])), b: rows.map((row) => f1(row.b, [row.reference])) }

for (const [model, values] of Object.entries(scores)) {
  const summary = createSummary()
  for (const value of values) summary.add(value)
  const { mean, interval } = summary.result()
  console.log(`model ${model}: mean F1 ${mean.toFixed(2)}, ${show(interval)}`)
}

const compared = comparePaired(scores.a, scores.b)
if (compared === null) throw new Error("No row has a score on both sides.")
console.log(`b - a: ${compared.difference.toFixed(2)}, ${show(compared.interval)}, p = ${compared.p.toFixed(2)}`)

function show(interval: { readonly low: number; readonly high: number } | null | undefined): string {
  return interval
    ? `95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
    : "too few rows for an interval"
}
