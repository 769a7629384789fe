import { type ApiEndpoint, type ConversationConfig, invalidRequest } from "@assay/schemas"
import {
  conversations,
  defineMetrics,
  isTextEndpoint,
  type MetricDefinition,
  modelRequest,
  markedReasoning,
  runParams,
  type RunParams,
  type SourceRow,
} from "@assay/scoring"
import type { Ask } from "../ask.ts"
import type { ReasoningMarks } from "../ask-model.ts"
import { targetEndpoint, targetReasoning } from "../asking-shape.ts"
import { openTaskRows, taskRows } from "../task-rows.ts"
import type { PlanContext, ShapeTask } from "../task-shape.ts"
import { compileConversation, type Conversation } from "./compile-conversation.ts"
import type { CompiledUser } from "./compile-user.ts"
import { holdConversation } from "./hold-conversation.ts"
import type { OpenedUser } from "./simulated-user.ts"
import { modelsOfTools, toldOfAll, hasPrograms } from "./tools/compile-tools.ts"
import { openConversationTools } from "./tools/open-conversation-tools.ts"
import { checkSandbox } from "./tools/open-sandbox.ts"

/** Shapes a task of type `conversation`: each row is a conversation with the model of the target. */
export const shapeConversation: ShapeTask = (toShape) => {
  const { config, name, task, issues } = toShape
  const run = runParams(config.params, task.params)
  const ends = defineMetrics({ name, issues, metrics: task.metrics ?? {}, run })
  const rows = issues.attempt(() => taskRows(toShape))
  const target = issues.attempt(() => ({
    endpoint: chatEndpoint(toShape),
    reasoning: targetReasoning(toShape.target),
  }))
  const given = issues.attempt(() => conversationOf(task.params?.conversation, name))
  if (task.params?.template !== undefined) {
    issues.add(
      `tasks.${name}.params.template: has no effect beside 'conversation', whose turns are asked; leave it out.`,
    )
  }
  const plan = given === undefined ? undefined : compileConversation(given, { name, issues, run })
  if (rows === undefined || target === undefined || plan === undefined) return undefined
  const { endpoint, reasoning } = target
  const scored = [...plan.metrics, ...ends]
  const isJudged = plan.user?.judge !== undefined
  const metrics = isJudged ? conversations.withKeptFacts(scored, run.callLimits) : scored
  checkNames(metrics, name, issues)
  if (!isJudged && plan.metrics.length + Object.keys(task.metrics ?? {}).length === 0) {
    issues.add(`tasks.${name}.metrics: is empty; name at least one metric, here or in a turn.`)
  }
  const first = (item: SourceRow["item"]) => firstRequest(plan, run, item)
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    asked: { endpoint, render: first },
    // `turns` in templates are the earlier turns of the conversation, not a field of the row.
    fields: [
      ...plan.fields,
      ...metrics.flatMap(({ fields }) => fields.filter(({ anyOf }) => !anyOf.includes("turns"))),
    ],
    metrics,
    endpoints: [
      endpoint,
      ...(plan.user === undefined ? [] : [plan.user.model.endpoint]),
      ...(plan.user?.judge === undefined ? [] : [plan.user.judge.endpoint]),
      ...modelsOfTools(plan.tools).map((model) => model.endpoint),
      ...plan.untils.flatMap(({ endpoints }) => endpoints),
      ...metrics.flatMap(({ endpoints }) => endpoints),
    ],
    isRecorded: (task.params?.cache ?? config.params?.cache) !== false,
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openConversation({ plan, endpoint, run, reasoning }, context),
    check: hasPrograms(plan.tools) ? checkSandbox : undefined,
    renderRequests: (item) => [modelRequest(endpoint, first(item))],
  }
}

function chatEndpoint({ target, name }: Parameters<ShapeTask>[0]): ApiEndpoint {
  const endpoint = targetEndpoint(target)
  if (endpoint === undefined) {
    throw invalidRequest(["target", "type"], "is not 'model', and a conversation is held with a model.", "enum")
  }
  if (!isTextEndpoint(endpoint)) return endpoint
  const rule = "is 'conversation', and the endpoint of the target has the format 'completions', which takes a text."
  throw invalidRequest(["tasks", name, "type"], rule, "value_error")
}

function conversationOf(given: ConversationConfig | undefined, name: string): ConversationConfig {
  if (given !== undefined) return given
  const rule = 'is missing; write {"turns": [{"user": "{{ question }}"}]}.'
  throw invalidRequest(["tasks", name, "params", "conversation"], rule, "missing")
}

/** Reports names of metrics that are taken. */
function checkNames(
  metrics: readonly MetricDefinition[],
  task: string,
  issues: Parameters<ShapeTask>[0]["issues"],
): void {
  const keys = metrics.map(({ key }) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) < at)
  if (twice !== undefined) {
    issues.add(`tasks.${task}.metrics.${twice}: is also the name of a metric of turns; give it another name.`)
  }
}

/** Renders the request of the first turn. Later ones depend on answers. */
function firstRequest(
  { system, turnsOf, tools, user }: Conversation,
  { inference }: RunParams,
  item: SourceRow["item"],
) {
  const told = toldOfAll(tools)
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: "system", content: system.render({ item }) }]),
      { role: "user", content: turnsOf(item)[0]?.user({ item, turns: [] }) ?? user?.tell(item).system ?? "" },
    ],
    parameters: { ...inference, ...(told.length === 0 ? {} : { tools: told }) },
  }
}

interface ToOpen {
  readonly plan: Conversation
  readonly endpoint: ApiEndpoint
  readonly run: RunParams
  readonly reasoning: ReasoningMarks | undefined
}

async function openConversation({ plan, endpoint, run, reasoning }: ToOpen, context: PlanContext): Promise<Ask> {
  const { models, environment } = context
  const bound = await Promise.all(plan.untils.map(async (until) => [until, await until.bind(context)] as const))
  const opened = {
    plan,
    user: plan.user === undefined ? undefined : await openUser(plan.user, run, context),
    tools: await openConversationTools(plan.tools, run, context),
    untils: new Map<unknown, (typeof bound)[number][1]>(bound),
    model: await models.open(endpoint),
    params: run,
    withoutReasoning: (text: string) => (reasoning === undefined ? text : markedReasoning.remove(text, reasoning)),
    sleep: environment.sleep,
  }
  return { kind: "call", call: (item, options) => holdConversation(opened, item, options) }
}

async function openUser(plan: CompiledUser, { callLimits }: RunParams, { models }: PlanContext): Promise<OpenedUser> {
  return {
    plan,
    model: await models.open(plan.model.endpoint),
    judge: plan.judge === undefined ? undefined : await models.open(plan.judge.endpoint),
    callLimits,
  }
}
