import type { ReferenceCase } from "./reference-case.ts"

interface CorpusInput {
  readonly hypotheses: readonly string[]
  /** Per position, one for each hypothesis. */
  readonly references: readonly (readonly string[])[]
  readonly options: Readonly<Record<string, unknown>>
}

/** chrF with other options; references by position, then by row. Source: test suite of sacreBLEU, Apache-2.0. */
export const CHRF_CASES: readonly ReferenceCase<CorpusInput, { readonly score: number }>[] = [
  {
    id: "chrf-001",
    input: { hypotheses: ["abcdefg"], references: [["hijklmnop"]], options: { beta: 3, eps_smoothing: true } },
    expect: { score: 1.0000000000000002e-14 },
    tolerance: 1e-6,
  },
  {
    id: "chrf-005",
    input: { hypotheses: ["a", "b"], references: [["a", "c"]], options: { beta: 3, eps_smoothing: true } },
    expect: { score: 8.333333333333343 },
    tolerance: 1e-6,
  },
  {
    id: "chrf-009",
    input: {
      hypotheses: [
        " risk assessment must be made of those who are qualified and expertise in the sector - these are the scientists .",
      ],
      references: [
        [
          "risk assessment has to be undertaken by those who are qualified and expert in that area - that is the scientists .",
        ],
      ],
      options: { beta: 3, eps_smoothing: true },
    },
    expect: { score: 63.36173005106315 },
    tolerance: 1e-6,
  },
  {
    id: "chrf-013",
    input: { hypotheses: [""], references: [["reference"]], options: { beta: 3, eps_smoothing: false } },
    expect: { score: 0.0 },
    tolerance: 1e-6,
  },
  {
    id: "chrf-017",
    input: {
      hypotheses: ["Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich."],
      references: [["Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich."]],
      options: { beta: 3, remove_whitespace: false },
    },
    expect: { score: 67.34816062977241 },
    tolerance: 1e-6,
  },
  {
    id: "chrf-021",
    input: {
      hypotheses: ["Lapali po dechu, jejich životy skončily dřív, než skutečně začaly."],
      references: [["Lapali po dechu a pak jejich život skončil - dřív, než skutečně mohl začít, připomněli."]],
      options: { beta: 2, eps_smoothing: true },
    },
    expect: { score: 57.15704366556671 },
    tolerance: 1e-6,
  },
]
