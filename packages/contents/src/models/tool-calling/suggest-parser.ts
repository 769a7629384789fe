import type { ModelFamily } from "../architecture/model-family.ts"

/**
 * Marks that templates put around tool calls, and vLLM's parsers for them; the first that is found counts. A model that
 * was trained further may write calls in another way than its family.
 */
const MARKS: readonly (readonly [mark: RegExp, parser: string])[] = [
  [/<arg_key>/, "glm45"],
  [/<function=/, "qwen3_coder"],
  [/\[TOOL_CALLS\]/, "mistral"],
  [/<\|tool_calls_section_begin\|>/, "kimi_k2"],
  [/<\|start\|>assistant<\|channel\|>|<\|channel\|>commentary/, "openai"],
  [/<tool_call>/, "hermes"],
  [/<\|python_tag\|>/, "llama3_json"],
]

/** The parser for the tool calls of a model whose `template` reads `tools`; null where none is known. */
export function suggestParser(template: string, family: ModelFamily | undefined): string | null {
  return MARKS.find(([mark]) => mark.test(template))?.[1] ?? family?.parser ?? null
}
