import { isAssayError, type GuardrailData, type GuardrailPrompt, type ValidationIssue } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"
import { familyFaults } from "./model-faults.ts"

/** The names that prompts may read. */
export const PROMPT_NAMES = ["user_input", "bot_response", "messages"] as const

/** What is wrong with the prompts of a configuration. A prompt that no flow uses is no fault. */
export function promptFaults({ prompts = [] }: GuardrailData): readonly ValidationIssue[] {
  const tasks = prompts.map(({ task }) => task)
  return [
    ...duplicateFaults(tasks, (index) => ["prompts", index, "task"], "a prompt for task"),
    ...prompts.flatMap((prompt, index) => [
      ...familyFaults(prompt.output_parser, ["prompts", index, "output_parser"]),
      ...contentFaults(prompt, index),
    ]),
  ]
}

function contentFaults({ content, messages }: GuardrailPrompt, index: number): readonly ValidationIssue[] {
  if ((content === undefined) === (messages === undefined)) {
    const found = content === undefined ? "neither is there" : "both are there"
    return [configurationFault(["prompts", index], `one of content and messages is needed; ${found}`, "one_of")]
  }
  if (content !== undefined) return templateFaults(content, ["prompts", index, "content"])
  return (messages ?? []).flatMap((message, at) =>
    templateFaults(message.content, ["prompts", index, "messages", at, "content"]),
  )
}

function templateFaults(source: string, loc: readonly (string | number)[]): readonly ValidationIssue[] {
  try {
    const names = compileTemplate(source).names.filter((name) => !PROMPT_NAMES.some((known) => known === name))
    if (names.length === 0) return []
    const list = names.map((name) => `'${name}'`).join(", ")
    return [configurationFault(loc, `reads ${list}; there are ${PROMPT_NAMES.join(", ")}`, "unknown_name")]
  } catch (error) {
    if (!isAssayError(error, "template_error")) throw error
    return [configurationFault(loc, error.message, "template_error")]
  }
}
