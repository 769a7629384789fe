import type { SimulatedUser } from "@assay/schemas"
import { conversations, type IssueList, type MetricDefinition, type SourceRow } from "@assay/scoring"
import { type AskedModel, askedModel } from "./tools/asked-model.ts"

type RowTemplate = ReturnType<typeof conversations.templates.compile>

/** A simulated user whose templates are compiled. */
export interface CompiledUser {
  readonly model: AskedModel
  /** Undefined: nobody judges whether the user kept to its facts. */
  readonly judge: AskedModel | undefined
  /** The metric that ends the conversation when an answer passes it. */
  readonly stop: MetricDefinition | undefined
  readonly templates: readonly RowTemplate[]
  /** Renders the instructions of the simulated user. @throws `template_error` */
  readonly tell: (item: SourceRow["item"]) => UserInstructions
}

export interface UserInstructions {
  readonly system: string
  readonly facts: string
}

/** The answer with which a simulated user ends the conversation. */
export const STOP = "[STOP]"

interface ToCompile {
  readonly location: string
  readonly issues: IssueList
  /** The metric of `stop`, if that is one. */
  readonly stop: MetricDefinition | undefined
}

/** Compiles a simulated user. Returns undefined if an issue prevents that. */
export function compileUser(
  { goal, facts = [], persona, stop, model, judge }: SimulatedUser,
  { location, issues, stop: metric }: ToCompile,
): CompiledUser | undefined {
  const compile = (text: string, key: string) => conversations.templates.compile(text, `${location}.${key}`)
  const rule = typeof stop === "string" ? stop : "You have what you want, or can see that you will not get it"
  return issues.attempt(() => {
    const told = {
      goal: compile(goal, "goal"),
      persona: persona === undefined ? undefined : compile(persona, "persona"),
      stop: compile(rule, "stop"),
      facts: (typeof facts === "string" ? [facts] : facts).map((fact, at) => compile(fact, `facts.${at}`)),
    }
    const optional = told.persona === undefined ? [] : [told.persona]
    return {
      model: askedModel(model, `${location}.model`),
      judge: judge === undefined ? undefined : askedModel(judge, `${location}.judge`),
      stop: metric,
      templates: [told.goal, told.stop, ...told.facts, ...optional],
      tell(item) {
        const known = told.facts.map((fact) => `- ${fact.render({ item })}`).join("\n")
        const system = instructions({
          goal: told.goal.render({ item }),
          persona: told.persona?.render({ item }),
          stop: told.stop.render({ item }),
          facts: known,
        })
        return { system, facts: known }
      },
    }
  })
}

interface Instructions {
  readonly goal: string
  readonly persona: string | undefined
  readonly stop: string
  readonly facts: string
}

function instructions({ goal, persona, stop, facts }: Instructions): string {
  return [
    "You play a user who writes to an assistant. Write only the next message of this user: no quotation marks, no explanations.",
    ...(persona === undefined ? [] : [`Who you are: ${persona}`]),
    `What you want: ${goal}`,
    facts === "" ? "You know nothing else about yourself." : `All that you know:\n${facts}`,
    "If you are asked for anything else, say that you don't know it. Never invent a fact.",
    `Write ${STOP} and nothing else as soon as this is true: ${stop}`,
  ].join("\n\n")
}
