import type { ReferenceCase } from "./reference-case.ts"

interface CheckInput {
  readonly operation: string
  readonly left: string
  readonly right: string
  readonly epsilon?: number
}

/** The number that the compat reading finds in a text; null if it finds none. Source: tests of nemo-platform (Apache-2.0). */
export const NUMBER_TEXTS: readonly ReferenceCase<{ readonly text: string }, { readonly value: number | null }>[] = [
  { id: "number_parse-001", input: { text: "value is 42" }, expect: { value: 42 }, tolerance: 1e-9 },
  { id: "number_parse-005", input: { text: "1234" }, expect: { value: 1234 }, tolerance: 1e-9 },
  {
    id: "number_parse-009",
    input: { text: "The values are 10.5, -3.14, and .75." },
    expect: { value: 0.75 },
    tolerance: 1e-9,
  },
  { id: "number_parse-013", input: { text: "context 1.\n" }, expect: { value: 1 }, tolerance: 1e-9 },
  { id: "number_parse-017", input: { text: "3/4" }, expect: { value: 4.0 }, tolerance: 1e-9 },
  { id: "number_parse-021", input: { text: "½" }, expect: { value: null }, tolerance: 1e-9 },
  { id: "number_parse-025", input: { text: "٣" }, expect: { value: 3.0 }, tolerance: 1e-9 },
]

/** Comparisons of numbers in texts. Source: tests of nemo-platform (Apache-2.0). */
export const NUMBER_CHECKS: readonly ReferenceCase<CheckInput, { readonly value: number | null }>[] = [
  {
    id: "number_check-001",
    input: { operation: "equals", left: "3", right: "3" },
    expect: { value: 1 },
    tolerance: 1e-9,
  },
  { id: "number_check-005", input: { operation: "lte", left: "3", right: "3" }, expect: { value: 1 }, tolerance: 1e-9 },
  {
    id: "number_check-009",
    input: { operation: "equals", left: "1", right: "my reasoning 123 and final answer is 1.2" },
    expect: { value: 0 },
    tolerance: 1e-9,
  },
  {
    id: "number_check-013",
    input: { operation: "absolute difference", left: "3.0", right: "3.4", epsilon: 0.25 },
    expect: { value: 0 },
    tolerance: 1e-9,
  },
]

/** Comparisons of texts. Source: tests of nemo-platform (Apache-2.0). */
export const STRING_CHECKS: readonly ReferenceCase<CheckInput, { readonly value: number | null }>[] = [
  {
    id: "string_check-001",
    input: { operation: "equals", left: "abc", right: "abc" },
    expect: { value: 1 },
    tolerance: 1e-9,
  },
  {
    id: "string_check-005",
    input: { operation: "contains", left: "abc", right: "B" },
    expect: { value: 0 },
    tolerance: 1e-9,
  },
  {
    id: "string_check-009",
    input: { operation: "startswith", left: "abc", right: "c" },
    expect: { value: 0 },
    tolerance: 1e-9,
  },
]
