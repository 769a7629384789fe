import { type GuardrailPrompt, type ValidationIssue, isAssayError } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import type { EffectiveData } from "../effective-data.ts"
import { findPrompt, plainTask } from "../find-prompt.ts"
import { CHECK_KINDS, type JudgeFlow } from "../parse-flow.ts"
import { judgeFlows, modelTypeOf } from "../plan-judge.ts"
import { configurationFault, duplicateFaults } from "./configuration-fault.ts"
import { familyFaults } from "./model-faults.ts"

/** The names that prompts can read: of the text to judge, and of the configuration. */
const KNOWN_NAMES: readonly string[] = [
  "user_input",
  "bot_response",
  "messages",
  "general_instructions",
  "sample_conversation",
  "reasoning_enabled",
]

const RAIL_TASK = new RegExp(`^(${CHECK_KINDS.map((kind) => kind.replaceAll(" ", "_")).join("|")})_(input|output)( |$)`)

/**
 * Lists the faults of the prompts of a configuration. An unused prompt is not a fault. The content of prompts for other tasks than
 * those of rails is not checked.
 */
export function promptFaults({ prompts = [] }: EffectiveData): readonly ValidationIssue[] {
  return [
    ...duplicateFaults(prompts.map(addressOf), (index) => ["prompts", index, "task"], "a prompt for task"),
    ...prompts.flatMap((prompt, index) =>
      RAIL_TASK.test(plainTask(prompt.task))
        ? [...familyFaults(prompt.output_parser, ["prompts", index, "output_parser"]), ...contentFaults(prompt, index)]
        : [],
    ),
  ]
}

/** Returns what a prompt is for: its task, and its mode and models if it names some. */
function addressOf({ task, mode, models }: GuardrailPrompt): string {
  return [
    plainTask(task),
    ...(mode == null || mode === "standard" ? [] : [`mode ${mode}`]),
    ...(models == null || models.length === 0 ? [] : [`models ${models.join(", ")}`]),
  ].join("; ")
}

function contentFaults({ content, messages }: GuardrailPrompt, index: number): readonly ValidationIssue[] {
  if ((content === undefined) === (messages === undefined)) {
    const found = content === undefined ? "neither is there" : "both are there"
    return [configurationFault(["prompts", index], `one of content and messages is needed; ${found}`, "one_of")]
  }
  if (content !== undefined) return templateFaults(content, ["prompts", index, "content"])
  return (messages ?? []).flatMap((message, at) => {
    const loc = ["prompts", index, "messages", at]
    if (typeof message !== "string") return templateFaults(message.content, [...loc, "content"])
    const msg = "write a message as { type, content }; expressions that create messages are not supported"
    return [configurationFault(loc, msg, "unsupported")]
  })
}

function templateFaults(source: string, loc: readonly (string | number)[]): readonly ValidationIssue[] {
  try {
    const names = compileTemplate(source).names.filter((name) => !KNOWN_NAMES.includes(name))
    if (names.length === 0) return []
    const list = names.map((name) => `'${name}'`).join(", ")
    return [configurationFault(loc, `reads ${list}; there are ${KNOWN_NAMES.join(", ")}`, "unknown_name")]
  } catch (error) {
    if (!isAssayError(error, "template_error")) throw error
    return [configurationFault(loc, error.message, "template_error")]
  }
}

/** Returns a warning for each prompt that does not show its judge the text to judge. The templates are valid. */
export function promptWarnings(data: EffectiveData): readonly ValidationIssue[] {
  const prompts = data.prompts ?? []
  const warned = new Map<number, ValidationIssue>()
  for (const flow of judgeFlows(data)) {
    const prompt = findPrompt(data, flow, modelTypeOf(flow, data))
    if (prompt === null || shows(prompt, flow)) continue
    const index = prompts.indexOf(prompt)
    warned.set(index, unshownWarning(flow, index))
  }
  return [...warned.values()]
}

/** Returns the names that a prompt reads. */
function namesOf({ content, messages = [] }: Pick<GuardrailPrompt, "content" | "messages">): ReadonlySet<string> {
  const texts = content === undefined ? messages : [content]
  return new Set(
    texts.flatMap((text) =>
      compileTemplate(typeof text === "string" ? text : text.content).reads.flatMap(({ path }) => path.slice(0, 1)),
    ),
  )
}

/**
 * Returns whether a prompt is only the policy, as for topic control models: it precedes the conversation, which follows as
 * messages.
 */
export function isPolicy(
  { kind }: Pick<JudgeFlow, "kind">,
  prompt: Pick<GuardrailPrompt, "content" | "messages">,
): boolean {
  if (kind !== "topic safety check" || prompt.content === undefined) return false
  const names = namesOf(prompt)
  return !names.has("user_input") && !names.has("bot_response") && !names.has("messages")
}

function shows(prompt: GuardrailPrompt, flow: JudgeFlow): boolean {
  const names = namesOf(prompt)
  return isPolicy(flow, prompt) || names.has("messages") || names.has(judgedName(flow))
}

function judgedName({ direction }: JudgeFlow): "user_input" | "bot_response" {
  return direction === "input" ? "user_input" : "bot_response"
}

function unshownWarning(flow: JudgeFlow, index: number): ValidationIssue {
  const what = flow.direction === "input" ? "the user's message" : "the answer"
  const msg = `the prompt of '${flow.name}' does not show ${what} to the judge; add {{ ${judgedName(flow)} }} to it`
  return configurationFault(["prompts", index], msg, "unshown_message")
}
