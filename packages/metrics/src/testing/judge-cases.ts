import type { ReferenceCase } from "./reference-case.ts"

/** Scores in answers of judges; null is none. Source: tests of nemo-platform and of NVIDIA Evaluator (Apache-2.0). */
export const JUDGE_CASES: readonly ReferenceCase<
  { readonly parser: string; readonly text: string; readonly pattern?: string; readonly key?: string },
  { readonly value: number | null }
>[] = [
  {
    id: "judge_parse-001",
    input: { parser: "regex", pattern: "SIMILARITY: (\\d+)", text: "SIMILARITY: 521" },
    expect: { value: 521 },
    tolerance: 1e-9,
  },
  {
    id: "judge_parse-005",
    // The reference reads 1. A boolean is not a rating, and `false` would be 0, which is outside of most scales.
    input: { parser: "json", key: "score", text: '{"score": true}' },
    expect: { value: null },
    tolerance: 1e-9,
  },
  {
    id: "judge_parse-009",
    input: { parser: "json", key: "score", text: "not json" },
    expect: { value: null },
    tolerance: 1e-9,
  },
  {
    id: "judge_parse-013",
    input: { parser: "scale-1-5", text: '{"score": 10}' },
    expect: { value: 1.0 },
    tolerance: 1e-9,
  },
]
