import type { ReferenceCase } from "./reference-case.ts"

/** Exact match and F1. Source: card of the squad metric in Hugging Face evaluate, tests of nemo-platform (Apache-2.0), and the definition. */
export const SQUAD_CASES: readonly ReferenceCase<
  { readonly prediction: string; readonly references: readonly string[] },
  { readonly exact_match: number; readonly f1: number }
>[] = [
  {
    id: "squad-001",
    input: { prediction: "1976", references: ["1976"] },
    expect: { exact_match: 1.0, f1: 1.0 },
    tolerance: 1e-9,
  },
  {
    id: "squad-005",
    input: { prediction: "The Eiffel Tower", references: ["eiffel tower"] },
    expect: { exact_match: 1.0, f1: 1.0 },
    tolerance: 1e-9,
  },
  {
    id: "squad-009",
    input: { prediction: "", references: ["some text"] },
    expect: { exact_match: 0.0, f1: 0.0 },
    tolerance: 1e-9,
  },
  {
    id: "squad-013",
    input: { prediction: "in 1976 or 1977", references: ["1976", "1977"] },
    expect: { exact_match: 0.0, f1: 0.4 },
    tolerance: 1e-9,
  },
  {
    id: "squad-017",
    input: { prediction: "“quoted”", references: ["quoted"] },
    expect: { exact_match: 0.0, f1: 0.0 },
    tolerance: 1e-9,
  },
  {
    id: "squad-021",
    input: { prediction: "1,000", references: ["1000"] },
    expect: { exact_match: 1.0, f1: 1.0 },
    tolerance: 1e-9,
  },
]
