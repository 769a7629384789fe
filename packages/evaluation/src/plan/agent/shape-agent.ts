import type { ProgramSandbox } from "@assay/harness"
import { type ApiEndpoint, AssayError, invalidRequest } from "@assay/schemas"
import { defineMetrics, openRemote, type RequestTemplate, rowRequest, runParams, type RunParams } from "@assay/scoring"
import type { JobEnvironment } from "../../job-environment.ts"
import type { Ask } from "../ask.ts"
import { targetEndpoint, taskRequest } from "../asking-shape.ts"
import { createWorkRecorder } from "../conversation/tools/recorded-work.ts"
import { NO_SANDBOX, openSandbox } from "../conversation/tools/open-sandbox.ts"
import { checkFilesRead } from "../program-texts.ts"
import { openTaskRows, taskRows } from "../task-rows.ts"
import type { PlanContext, ShapeTask } from "../task-shape.ts"
import { type AgentProgram, type CompiledAgent, compileAgent } from "./compile-agent.ts"
import { doByProgram, type DoTask } from "./do-task.ts"
import { holdTask, type OpenedAgent } from "./hold-task.ts"

const KEYS = ["messages", "prompt"]

/** Shapes a task of type `agent`: an agent of others does the task of each row, and what it did is a conversation. */
export const shapeAgent: ShapeTask = (toShape) => {
  const { config, name, task, issues, target } = toShape
  const run = runParams(config.params, task.params)
  const metrics = defineMetrics({ name, issues, metrics: task.metrics ?? {}, run })
  const request = taskRequest(toShape)
  const rows = issues.attempt(() => taskRows(toShape))
  const agent = issues.attempt(() => compileAgent(task.params?.agent, name))
  const model = issues.attempt(() => ({ endpoint: target.type === "model" ? targetEndpoint(target) : undefined }))
  if (Object.keys(task.metrics ?? {}).length === 0) {
    issues.add(`tasks.${name}.metrics: is empty; name at least one metric.`)
  }
  if (rows === undefined || agent === undefined || model === undefined) return undefined
  const { how } = agent
  const { endpoint } = model
  if (how.kind === "endpoint" && endpoint !== undefined) {
    const rule = "is 'model', and the endpoint of the agent chooses its models; give the rows as the target."
    issues.add(invalidRequest(["target", "type"], rule, "value_error").message)
  }
  const hasTemplate = (task.params?.template ?? null) !== null
  return {
    name,
    run,
    rows,
    otherDatasets: [],
    fields: [
      ...(request?.fields ?? (hasTemplate ? [] : [{ anyOf: KEYS, by: `task '${name}'` }])),
      ...metrics.flatMap(({ fields }) => fields.filter(({ anyOf }) => !anyOf.includes("turns"))),
    ],
    metrics,
    endpoints: [
      ...(endpoint === undefined ? [] : [endpoint]),
      ...(how.kind === "endpoint" ? [how.endpoint] : []),
      ...metrics.flatMap(({ endpoints }) => endpoints),
    ],
    isRecorded: (task.params?.cache ?? config.params?.cache) !== false,
    check:
      how.kind === "program"
        ? async (environment, signal) => {
            if (environment.recording?.isReplayOnly !== true) await openPlace(how.program, environment, signal)
          }
        : undefined,
    openRows: (context) => openTaskRows(rows, run, context),
    openAsk: (context) => openAgent({ agent, endpoint, run, request: request ?? rowRequest(KEYS) }, context),
  }
}

interface ToOpen {
  readonly agent: CompiledAgent
  /** The model that its program may ask. */
  readonly endpoint: ApiEndpoint | undefined
  readonly run: RunParams
  readonly request: RequestTemplate
}

async function openAgent(to: ToOpen, context: PlanContext): Promise<Ask> {
  const { agent, endpoint, request } = to
  const { how, form, timeLimitMs } = agent
  const opened: OpenedAgent = {
    request,
    form,
    doTask: await openTasks(to, context),
    recorder: createWorkRecorder(context.environment.recording),
    ...(how.kind === "endpoint"
      ? { by: how.url.origin + how.url.pathname, on: { url: how.url.href } }
      : {
          by: how.program.command.join(" "),
          on: { ...how.program, timeLimitMs, model: { url: endpoint?.url, model_id: endpoint?.model_id } },
        }),
  }
  return { kind: "call", call: (item, options) => holdTask(opened, item, options) }
}

async function openTasks({ agent, endpoint, run }: ToOpen, context: PlanContext): Promise<DoTask> {
  const { how, timeLimitMs } = agent
  const { environment, signal } = context
  const isReplay = environment.recording?.isReplayOnly === true
  if (how.kind === "program") {
    checkFilesRead(how.program)
    const sandbox = isReplay ? NO_SANDBOX : await openPlace(how.program, environment, signal)
    const key = endpoint === undefined || isReplay ? undefined : await environment.resolveKey(endpoint)
    const model = endpoint === undefined ? undefined : { target: endpoint, key }
    return doByProgram(how.program, agent, { sandbox, model })
  }
  const limits = { ...run.callLimits, timeoutMs: timeLimitMs }
  const service = { ...limits, url: how.url, endpoint: how.endpoint, label: "agent", maxBytes: MAX_BYTES }
  const post = isReplay ? undefined : await openRemote(service, context)
  return async (task, options) => {
    const started = environment.inference.now()
    const value = await post?.(task, options)
    return { text: textOrJson(value), milliseconds: environment.inference.now() - started }
  }
}

/** Opens where the program of an agent runs: in a container of its image, or in the sandbox. @throws `code_not_allowed` */
async function openPlace(
  { image }: AgentProgram,
  environment: JobEnvironment,
  signal: AbortSignal,
): Promise<Pick<ProgramSandbox, "run">> {
  if (image === undefined) return openSandbox(environment, signal)
  const { openContainers } = environment
  if (openContainers !== undefined) return openContainers(image, signal)
  const why = `The agent runs in a container of '${image}', and only runs of the command on its own machine start containers`
  throw new AssayError("code_not_allowed", `${why}: run it with --local, or leave 'image' out.`)
}

/** Bytes of what an endpoint returns. */
const MAX_BYTES = 8 * 1024 * 1024

function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null)
}
