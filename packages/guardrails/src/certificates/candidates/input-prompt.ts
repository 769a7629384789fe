import type { GuardrailData, GuardrailModel, GuardrailPrompt } from "@assay/schemas"
import { effectiveData } from "../../configuration/effective-data.ts"
import { findPrompt, taskOf } from "../../configuration/find-prompt.ts"
import { parseFlow, reachEnsemble, type JudgeFlow } from "../../configuration/parse-flow.ts"
import { modelTypeOf, planJudge } from "../../configuration/plan-judge.ts"

/** The prompt of the judge that is asked first about a message of the user. */
export interface InputPrompt {
  /** Its rules: the whole prompt, or its first message. Null: the judge has its rules in the chat template of the model. */
  readonly text: string | null
  /** Returns the configuration with other rules. Further messages of the prompt stay. */
  readonly withText: (text: string) => GuardrailData
  /** Returns the configuration with one text instead of the whole prompt. */
  readonly withContent: (content: string) => GuardrailData
}

/** Returns undefined if a configuration has no judge of messages of the user. */
export function inputPromptOf(data: GuardrailData): InputPrompt | undefined {
  const effective = effectiveData(data)
  const flow = firstJudge(data)
  if (flow === undefined) return undefined
  const { modelType, prompt, form } = planJudge(flow, effective)
  const configured = findPrompt(effective, flow, modelType)
  const first = prompt?.messages?.findIndex((message) => typeof message !== "string") ?? -1
  const message = prompt?.messages?.[first]
  const isBuiltIn = configured === null
  // The built-in prompt of such a judge is only the message of the user.
  const ruled = isBuiltIn && prompt?.content === undefined ? undefined : message
  const text = prompt?.content ?? (typeof ruled === "object" ? ruled.content : null)

  const replaced = (change: (prompt: GuardrailPrompt) => GuardrailPrompt): GuardrailData => {
    const { prompts = [] } = data
    if (!isBuiltIn) return { ...data, prompts: prompts.map((one) => (one === configured ? change(one) : one)) }
    const task = flow.model === null ? taskOf(flow) : `${taskOf(flow)} $model=${flow.model}`
    return { ...data, prompts: [...prompts, change({ task })] }
  }
  const withContent = (content: string) =>
    replaced(({ messages: _messages, ...one }): GuardrailPrompt => ({ ...one, content }))
  return {
    text,
    withContent,
    withText(changed) {
      // The answer to a built-in prompt is read by the form that it asks for, which its edits keep.
      if (isBuiltIn) {
        return replaced((one) => ({ ...one, content: changed, ...(form === null ? {} : { output_parser: form }) }))
      }
      if (prompt?.content !== undefined) return withContent(changed)
      return replaced((one) => ({
        ...one,
        messages: (one.messages ?? []).map((each, at) =>
          at === first && typeof each === "object" ? { ...each, content: changed } : each,
        ),
      }))
    },
  }
}

/** Returns the model that is asked first about a message of the user, or undefined if there is none. */
export function inputModelOf(data: GuardrailData): GuardrailModel | undefined {
  const effective = effectiveData(data)
  const flow = firstJudge(data)
  const type = flow === undefined ? undefined : modelTypeOf(flow, effective)
  return effective.models.find((model) => model.type === type)
}

function firstJudge({ rails, ensembles = [] }: GuardrailData): JudgeFlow | undefined {
  for (const name of rails?.input?.flows ?? []) {
    const flow = parseFlow(name)
    const judge = flow?.type === "ensemble" ? reachEnsemble(ensembles, flow.ensemble).judges[0] : flow
    if (judge?.type === "judge") return judge
  }
  return undefined
}
