import type { RailPolicy } from "@assay/schemas"
import { type EffectiveData, templateValues } from "../configuration/effective-data.ts"
import { isPolicy } from "../configuration/faults/prompt-faults.ts"
import { parseFlow, type JudgeFlow } from "../configuration/parse-flow.ts"
import { planJudge } from "../configuration/plan-judge.ts"
import { shownParts } from "../configuration/shown-parts.ts"
import { outcomeOf } from "./decide.ts"
import { openEnsemble } from "./ensembles/open-ensemble.ts"
import { compilePolicy, compilePrompt } from "./judges/compile-prompt.ts"
import { openJudge, type Judge } from "./judges/open-judge.ts"
import type { OpenModels } from "./open-models.ts"
import type { Rail } from "./rail.ts"
import { openPatternRail } from "./rules/open-pattern-rail.ts"
import type { CheckJson } from "./rules/rule.ts"

/** What rails ask and how they check. */
export interface RailSetup {
  readonly models: OpenModels
  readonly checkJson: CheckJson
  readonly now: () => number
}

/**
 * Opens the rails of one direction in the order of their flows. The configuration is valid.
 * @throws `invalid_request` if a flow asks a model without a URL
 */
export function openRails(
  flows: readonly string[],
  data: EffectiveData,
  { models, checkJson, now }: RailSetup,
): readonly Rail[] {
  const values = templateValues(data)
  return flows.map(openFlow)

  function openFlow(name: string): Rail {
    const flow = parseFlow(name)
    const policy = data.policies?.[name]
    if (flow?.type === "rule") return openPatternRail(flow, data, { checkJson, now })
    if (flow?.type === "judge") return openJudgeRail(flow, judgeOf(flow), policy)
    const ensemble = (data.ensembles ?? []).find((each) => each.name === flow?.ensemble)
    if (ensemble === undefined) throw new RangeError(`'${name}' is not a flow of a checked configuration.`)
    return openEnsemble({ name, kind: ensemble.kind, members: ensemble.flows.map(openFlow), policy, now })
  }

  function judgeOf(flow: JudgeFlow) {
    const { modelType, prompt, isConfigured, family, form, thinkTokens, ...plan } = planJudge(flow, data)
    if (prompt === null) throw new RangeError(`'${flow.name}' has no prompt in a checked configuration.`)
    const { client, memory } = models.get(modelType)
    const render = isPolicy(flow, prompt) ? compilePolicy(prompt, values) : compilePrompt(prompt, values)
    return openJudge({
      flow: flow.name,
      direction: flow.direction,
      client,
      memory,
      family,
      form,
      parameters: plan.parameters,
      maxTokens: plan.maxTokens,
      thinkTokens,
      render,
      shown: isConfigured && !isPolicy(flow, prompt) ? shownParts(prompt) : new Set(),
      now,
    })
  }
}

/** Creates a rail with one judge. A threshold needs log-probabilities, so they are always requested then. */
function openJudgeRail({ name, direction }: JudgeFlow, judge: Judge, policy: RailPolicy | undefined): Rail {
  return {
    name,
    async run(input, options) {
      const answer = await judge(input, policy?.threshold === undefined ? options : { ...options, logprobs: true })
      return outcomeOf(name, { answer, direction, policy })
    },
  }
}
