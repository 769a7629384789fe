import type { ReferenceCase } from "./reference-case.ts"

/** Calls of tools and their references. Source: tests of nemo-platform (Apache-2.0), and the definition. */
export const TOOL_CALL_CASES: readonly ReferenceCase<
  { readonly reference: unknown; readonly calls: unknown },
  { readonly function_name_accuracy: number; readonly function_name_and_args_accuracy: number }
>[] = [
  {
    id: "tool_calls-001",
    input: { reference: [{ name: "sum", arguments: { x: 1 } }], calls: [{ name: "sum", arguments: '{"x": 1}' }] },
    expect: { function_name_accuracy: 1, function_name_and_args_accuracy: 1 },
    tolerance: 1e-9,
  },
  {
    id: "tool_calls-005",
    input: { reference: [{ name: "sum", arguments: {} }], calls: [{ name: "sum", arguments: null }] },
    expect: { function_name_accuracy: 1, function_name_and_args_accuracy: 1 },
    tolerance: 1e-9,
  },
  {
    id: "tool_calls-009",
    input: {
      reference: [
        { name: "play", arguments: { artist: "A" } },
        { name: "play", arguments: { artist: "B" } },
      ],
      calls: [
        { name: "play", arguments: '{"artist": "A"}' },
        { name: "play", arguments: '{"artist": "A"}' },
      ],
    },
    expect: { function_name_accuracy: 1, function_name_and_args_accuracy: 0 },
    tolerance: 1e-9,
  },
]
