import {
  AssayError,
  type ConversationConfig,
  type ConversationLimits,
  MAX_CALLS,
  MAX_TURNS,
  type MetricConfig,
} from "@assay/schemas"
import { fieldsOf } from "@assay/json"
import {
  conversations,
  defineMetrics,
  type IssueList,
  type MetricDefinition,
  type RunParams,
  type SourceRow,
} from "@assay/scoring"
import { type CompiledUser, compileUser } from "./compile-user.ts"
import { type CompiledTools, compileTools, templatesOfTools } from "./tools/compile-tools.ts"

type RowTemplate = ReturnType<typeof conversations.templates.compile>
type Structure = ReturnType<typeof conversations.templates.compileStructure>
/** The values that the message of a turn can read. */
export type TurnValues = Parameters<RowTemplate["render"]>[0]

/** A turn of the file, or of a row. */
export interface PlannedTurn {
  readonly user: (values: TurnValues) => string
  /** Absent: the message is sent once. */
  readonly repeat?: { readonly until: MetricDefinition; readonly limit: number } | undefined
}

/** A conversation whose templates are compiled. */
export interface Conversation {
  readonly system: RowTemplate | undefined
  /** Writes the messages instead of turns. */
  readonly user: CompiledUser | undefined
  /** Returns the turns of a row; none with a simulated user. @throws `rows_invalid`, `template_error` */
  readonly turnsOf: (item: SourceRow["item"]) => readonly PlannedTurn[]
  readonly tools: CompiledTools
  readonly state: Structure
  readonly limits: Required<ConversationLimits>
  readonly metrics: readonly MetricDefinition[]
  /** Metrics that decide whether a turn is repeated. */
  readonly untils: readonly MetricDefinition[]
  readonly fields: MetricDefinition["fields"]
}

export interface ToCompile {
  /** The name of the task. */
  readonly name: string
  readonly issues: IssueList
  readonly run: RunParams
}

/** Compiles a conversation. Returns undefined if an issue prevents that. */
export function compileConversation(config: ConversationConfig, to: ToCompile): Conversation | undefined {
  const location = `tasks.${to.name}.params.conversation`
  const { templates } = conversations
  const { system, state = null, limits = {} } = config
  const own = to.issues.attempt(() => ({
    system: system === undefined ? undefined : templates.compile(system, `${location}.system`),
    state: templates.compileStructure(state, `${location}.state`),
    tools: compileTools(config, `${location}.tools`),
  }))
  if ((config.turns === undefined) === (config.user === undefined)) {
    to.issues.add(`${location}: has ${config.turns === undefined ? "neither" : "both"} 'turns' and 'user'; write one.`)
    return undefined
  }
  const { turns: given = [] } = config
  const turns = typeof given === "string" ? turnsOfRows(given, to) : turnsOfFile(given, to)
  const user = config.user === undefined ? undefined : userOf(config.user, to)
  if (own === undefined || turns === undefined || (config.user !== undefined && user === undefined)) return undefined
  const untils = [...turns.untils, ...(user?.stop === undefined ? [] : [user.stop])]
  const all = [
    ...(own.system === undefined ? [] : [own.system]),
    ...own.state.templates,
    ...turns.templates,
    ...(user?.templates ?? []),
  ]
  return {
    ...own,
    user,
    turnsOf: turns.of,
    limits: {
      turns: limits.turns ?? MAX_TURNS,
      calls: limits.calls ?? MAX_CALLS,
      tokens: limits.tokens ?? Number.POSITIVE_INFINITY,
      time: limits.time ?? Number.POSITIVE_INFINITY,
    },
    metrics: turns.metrics,
    untils,
    fields: [
      ...templates.fields(all),
      ...templates.fields(templatesOfTools(own.tools)),
      ...untils.flatMap(({ fields }) => fields),
    ].filter(({ anyOf }) => !anyOf.some((key) => turns.given.includes(key) || OF_CALLS.has(key))),
  }
}

/** Names in templates of tools that are not keys of the row. */
const OF_CALLS: ReadonlySet<string> = new Set(["arguments", "state"])

interface CompiledTurns {
  readonly templates: readonly RowTemplate[]
  readonly of: Conversation["turnsOf"]
  readonly metrics: readonly MetricDefinition[]
  readonly untils: readonly MetricDefinition[]
  /** Names in templates that are not keys of the row. */
  readonly given: readonly string[]
}

function userOf(user: NonNullable<ConversationConfig["user"]>, to: ToCompile): CompiledUser | undefined {
  const { stop } = user
  const location = `${to.name}.params.conversation.user`
  const [metric] = typeof stop === "object" ? define({ stop }, location, to) : []
  if (typeof stop === "object" && metric === undefined) return undefined
  return compileUser(user, { location: `tasks.${location}`, issues: to.issues, stop: metric })
}

type Turn = Exclude<NonNullable<ConversationConfig["turns"]>, string>[number]
type TurnMetric = Parameters<typeof conversations.metrics>[0][number]

function turnsOfFile(turns: readonly Turn[], to: ToCompile): CompiledTurns | undefined {
  const byKey = new Map<string, TurnMetric[]>()
  const compiled: (PlannedTurn & { readonly template: RowTemplate })[] = []
  const untils: MetricDefinition[] = []
  let least = 0
  let most = 0
  for (const [turn, { user, metrics = {}, repeat }] of turns.entries()) {
    const location = `${to.name}.params.conversation.turns.${turn}`
    const template = to.issues.attempt(() => conversations.templates.compile(user, `tasks.${location}.user`))
    const [first, last] = [least, Math.min(most + (repeat?.limit ?? 1), MAX_TURNS) - 1]
    least += 1
    most = last + 1
    for (const metric of define(metrics, location, to)) {
      const span = [Math.min(first, last), last] as const
      byKey.set(metric.key, [...(byKey.get(metric.key) ?? []), { turn, span, metric }])
    }
    const [until] = repeat === undefined ? [] : define({ until: repeat.until }, `${location}.repeat`, to)
    if (until !== undefined) untils.push(until)
    if (template === undefined || (repeat !== undefined && until === undefined)) continue
    compiled.push({
      template,
      user: (values) => template.render(values),
      repeat: repeat === undefined || until === undefined ? undefined : { until, limit: repeat.limit },
    })
  }
  if (compiled.length < turns.length) return undefined
  for (const parts of byKey.values()) checkKinds(parts, to)
  return {
    templates: compiled.map(({ template }) => template),
    of: () => compiled,
    metrics: [...byKey.values()].flatMap((parts) => conversations.metrics(parts)),
    untils,
    given: ["turns"],
  }
}

/** Defines metrics of a turn. A parameter without an effect is an issue, because the launch checks do not see it. */
function define(
  metrics: Readonly<Record<string, MetricConfig>>,
  name: string,
  { issues, run }: ToCompile,
): readonly MetricDefinition[] {
  return defineMetrics({ name, issues, metrics, run }).map(({ params, ...metric }) => {
    const unread = params?.given.find((key) => !params.read.includes(key))
    if (unread !== undefined) {
      issues.add(`tasks.${name}.metrics.${metric.key}.params.${unread}: has no effect here; leave it out.`)
    }
    return metric
  })
}

function checkKinds(parts: readonly TurnMetric[], { name, issues }: ToCompile): void {
  const [first] = parts
  const other = parts.find(({ metric }) => metric.type !== first?.metric.type)
  if (first === undefined || other === undefined) return
  const { key, type } = other.metric
  const where = `tasks.${name}.params.conversation.turns.${other.turn}.metrics.${key}`
  issues.add(`${where}: is '${type}', and '${first.metric.type}' in turn ${first.turn + 1}; give it another name.`)
}

function turnsOfRows(source: string, { name, issues }: ToCompile): CompiledTurns | undefined {
  const location = `tasks.${name}.params.conversation.turns`
  const template = issues.attempt(() => conversations.templates.compile(source, location))
  if (template === undefined) return undefined
  const of: Conversation["turnsOf"] = (item) => {
    const value = conversations.templates.json(template.evaluate({ item }), location)
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_TURNS) {
      const given = Array.isArray(value) ? `a list of ${value.length}` : typeof value
      throw new AssayError("rows_invalid", `'turns' of the row are ${given}; give a list of 1 to ${MAX_TURNS} turns.`)
    }
    return value.map(turnOfRow)
  }
  return { templates: [template], of, metrics: [], untils: [], given: [] }
}

/** Reads a turn of a row. Its text is sent as it is: rows are data, and no templates. */
function turnOfRow(turn: unknown, at: number): PlannedTurn {
  if (typeof turn === "string") return { user: () => turn }
  const { user, ...rest } = fieldsOf(turn)
  const other = Object.keys(rest).find((key) => key === "checks" || key === "repeat")
  if (other !== undefined) {
    const why = "checks belong to the file: score whole conversations with `checks`, or write the turns into the file"
    throw new AssayError("rows_invalid", `Turn ${at + 1} of the row has '${other}', and ${why}.`)
  }
  if (typeof user === "string") return { user: () => user }
  throw new AssayError("rows_invalid", `Turn ${at + 1} of the row is not a turn; write a text, or {"user": "…"}.`)
}
