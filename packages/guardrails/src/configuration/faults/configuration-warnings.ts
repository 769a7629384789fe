import type { GuardrailData, GuardrailModel, ValidationIssue } from "@assay/schemas"
import { CLIENT_PARAMETERS, countFlows, effectiveData, isSet, MAIN, type EffectiveData } from "../effective-data.ts"
import { patternsOf } from "../detection-patterns.ts"
import { findPrompt, taskOf } from "../find-prompt.ts"
import { ruleFlows } from "../rule-flows.ts"
import { judgeFlows, judgeTypes, modelTypeOf } from "../plan-judge.ts"
import { configurationFault } from "./configuration-fault.ts"
import { imageWarnings } from "./image-warnings.ts"
import { promptWarnings } from "./prompt-faults.ts"
import { tokenLimitWarnings } from "./token-limit-warnings.ts"
import { isColang2 } from "./vendor-faults.ts"

type Loc = readonly (string | number)[]
type Entry = readonly [loc: Loc, isSet: boolean, msg: string]

/** Lists the settings of a valid configuration that have no effect, prompts that do not show the text to judge, and too low token limits. */
export function configurationWarnings(given: GuardrailData): readonly ValidationIssue[] {
  const data = effectiveData(given)
  const entries = [
    ...(given.models ?? []).flatMap((model, index) => modelEntries(model, index, data)),
    ...railEntries(data),
    ...topEntries(data),
  ]
  return [
    ...entries.filter(([, applies]) => applies).map(([loc, , msg]) => configurationFault(loc, msg, "no_effect")),
    ...promptWarnings(data),
    ...tokenLimitWarnings(data),
    ...imageWarnings(data),
  ]
}

function modelEntries(model: GuardrailModel, index: number, data: EffectiveData): readonly Entry[] {
  const { type, mode, cache, reasoning_config: reasoning, api_key_env_var: variable, parameters = {} } = model
  const at = (...keys: string[]) => ["models", index, ...keys]
  const isJudge = judgeTypes(data).has(type)
  const removes = reasoning?.remove_reasoning_traces ?? reasoning?.remove_thinking_traces
  return [
    [
      at("api_key_env_var"),
      isSet(variable) && model.api_key_secret === undefined,
      `a server does not read its environment for a configuration, so '${type}' is called without a key; store the key as a secret and name that in \`api_key_secret\``,
    ],
    [at("cache"), isSet(cache), "judges have no cache: every message is judged"],
    [at("mode"), mode === "text" && !isJudge, "chat uses chat completions, not text completions"],
    [
      at("reasoning_config"),
      type === MAIN && reasoning != null && removes !== false,
      "reasoning is removed from the answers of judges, not from the answers to chats",
    ],
    ...CLIENT_PARAMETERS.map((key): Entry => [
      at("parameters", key),
      isSet(parameters[key]),
      "a parameter of the vendor's client, which is not sent",
    ]),
    [at("type"), type !== MAIN && !isJudge, `no flow asks a model of type '${type}'`],
  ]
}

/** Settings of rails that have an effect. */
const USED_SETTINGS: ReadonlySet<string> = new Set(["content_safety", "regex_detection"])

function railEntries(data: EffectiveData): readonly Entry[] {
  const { rails } = data
  const { config, dialog, actions, output } = rails
  const safety = config?.["content_safety"]
  const others = Object.entries(config ?? {}).filter(([key]) => !USED_SETTINGS.has(key))
  return [
    [["rails"], countFlows(rails) === 0, "there are no flows, so nothing is judged"],
    [
      ["rails", "output", "streaming", "stream_first"],
      output?.streaming?.stream_first === true,
      "streamed text is always judged before it is sent",
    ],
    [
      ["rails", "output", "apply_to_reasoning_traces"],
      output?.apply_to_reasoning_traces === true,
      "reasoning beside an answer is removed, and not judged",
    ],
    [["rails", "dialog"], isSet(dialog), "there are no dialog rails, so their settings have no effect"],
    [["rails", "actions"], isSet(actions), "there are no actions, so their settings have no effect"],
    [
      ["rails", "config", "content_safety", "multilingual"],
      typeof safety === "object" && safety !== null && "multilingual" in safety && isSet(safety.multilingual),
      "the refusal is the same in every language",
    ],
    ...patternEntries(data),
    ...others.map(([key, value]): Entry => [
      ["rails", "config", key],
      isSet(value),
      "settings of a rail that does not exist here",
    ]),
  ]
}

/** Lists flows that search for patterns and have none. */
function patternEntries(data: EffectiveData): readonly Entry[] {
  return ruleFlows(data).map(({ flow, loc, tool }): Entry => [
    loc,
    flow.rule === "patterns" && patternsOf(data, flow.place, tool).length === 0,
    `there are no patterns in rails.config.regex_detection.${[flow.place, ...(tool === null ? [] : [tool])].join(".")}, so '${flow.name}' blocks nothing`,
  ])
}

/** Lists prompts that no flow asks: of other tasks, or because nothing fits them, so that the built-in prompt is asked without a word. */
function promptEntries(data: EffectiveData): readonly Entry[] {
  const flows = judgeFlows(data)
  const tasks = new Set(flows.map(taskOf))
  const replaced = new Set(
    flows.flatMap((flow) => (findPrompt(data, flow, modelTypeOf(flow, data)) === null ? [taskOf(flow)] : [])),
  )
  const asked = new Set(flows.map((flow) => findPrompt(data, flow, modelTypeOf(flow, data))))
  return (data.prompts ?? []).flatMap((prompt, index): readonly Entry[] => {
    const task = prompt.task.trim().split(/\s+/)[0] ?? ""
    return [
      [["prompts", index], !tasks.has(task), `no flow asks with task '${prompt.task}'`],
      [
        ["prompts", index],
        replaced.has(task) && !asked.has(prompt),
        `its mode, its models or the $model of its task do not fit a flow, which asks with the built-in prompt instead`,
      ],
      [["prompts", index, "max_length"], isSet(prompt.max_length), "a judge always sees the whole message"],
    ]
  })
}

function topEntries(data: EffectiveData): readonly Entry[] {
  const otherMessages = Object.keys(data.bot_messages ?? {}).filter((key) => key !== "refuse to respond")
  const general = data.instructions?.findIndex(({ type }) => type === "general")
  return [
    ...promptEntries(data),
    ...(data.instructions ?? []).map((_, index): Entry => [
      ["instructions", index],
      index !== general,
      "only the first instruction of type 'general' is used",
    ]),
    [["event_source_uid"], isSet(data.event_source_uid), "no events are sent"],
    [["colang_version"], isColang2(data), "the flows of rails.input and rails.output run; .co files are not read"],
    [["bot_messages"], otherMessages.length > 0, "only 'refuse to respond' is used"],
    [
      ["enable_rails_exceptions"],
      isSet(data.enable_rails_exceptions),
      "a blocked answer contains the refusal, with finish_reason content_filter",
    ],
    [["enable_multi_step_generation"], isSet(data.enable_multi_step_generation), "there are no dialog rails"],
    [["tracing"], isSet(data.tracing), "no traces are written; answers contain the finding of each rail"],
    [["metrics"], isSet(data.metrics), "no metrics of rails are exported"],
    [["knowledge_base"], isSet(data.knowledge_base), "nothing is retrieved"],
    [["docs"], isSet(data.docs), "nothing is retrieved"],
    [["core"], isSet(data.core), "there are no dialog rails"],
    [["custom_data"], isSet(data.custom_data), "no rail reads it"],
    [["actions_server_url"], isSet(data.actions_server_url), "there are no actions"],
    [["raw_llm_call_action"], isSet(data.raw_llm_call_action), "there are no actions"],
  ]
}
