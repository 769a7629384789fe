import { createValueChecker, type SchemaRunner, type ValueChecker } from "@assay/contents"
import { AssayError, type ConversationCall, isAssayError, nearestNames } from "@assay/schemas"
import type { SourceRow } from "@assay/scoring"
import type { AskOptions } from "../../ask.ts"
import { type CompiledTool, type ToolProgram, type ToolSource, toldOf } from "./compile-tools.ts"
import { answerOf } from "./fixture-tool.ts"
import { answerOfModel, type OpenedToolModel } from "./model-tool.ts"
import { answerOfScript, type ScriptPorts } from "./script-tool.ts"
import { type ConversationServers, createServers } from "./served-tools.ts"
import { type AnsweredCall, answeredCall, type ReadCall, refusedCall } from "./tool-answer.ts"
import type { ToolCall } from "./tool-calls.ts"

/** A tool that is ready to be called. */
export interface OpenedTool extends Omit<CompiledTool, "source"> {
  readonly source:
    | Exclude<ToolSource, { readonly kind: "model" }>
    | { readonly kind: "model"; readonly opened: OpenedToolModel }
    | { readonly kind: "server"; readonly program: ToolProgram }
}

/** The tools of all conversations of a task. */
export interface ToolBox {
  /** Their descriptions for the model. */
  readonly told: readonly object[]
  /** Begins the tools of one conversation. Close them after use. */
  readonly begin: (item: SourceRow["item"], options: AskOptions) => ConversationTools
}

/** The tools of one conversation. */
export interface ConversationTools {
  /**
   * Answers a call. Faults of the model, and failures of a tool, go back to the model as errors.
   * @throws `template_error`; `harness_failed` if the sandbox can't be started; `recording_missing`; the errors of a model that plays a tool
   */
  answer(call: ToolCall, state: unknown): Promise<AnsweredCall>
  close(): Promise<void>
}

/** Opens tools, whose schemas are compiled when they are first needed. */
export function openTools(
  tools: readonly OpenedTool[],
  { schemas, ...ports }: { readonly schemas: SchemaRunner } & ScriptPorts,
): ToolBox {
  const checkers = new Map<string, ValueChecker>()
  const checkerOf = ({ name, parameters }: OpenedTool): ValueChecker | undefined => {
    if (parameters === undefined) return undefined
    const checker = checkers.get(name) ?? createValueChecker(parameters, schemas)
    checkers.set(name, checker)
    return checker
  }
  return {
    told: tools.map(toldOf),
    begin(item, options) {
      const servers = createServers(ports, options)
      const earlier: ConversationCall[] = []
      const by = { ports, servers, item, earlier, options }
      return {
        async answer(call, state) {
          const tool = tools.find(({ name }) => name === call.name)
          if (tool === undefined) return refusedCall(call, state, unknownTool(call.name, tools), "unknown")
          const { args } = call
          if (args === undefined) {
            return refusedCall(call, state, "The arguments are not a JSON object, or are too long.", "malformed")
          }
          const found = await checkerOf(tool)
            ?.check(JSON.stringify(args))
            .catch((error: unknown) => Promise.reject(ofSchema(error, call.name)))
          if (found != null) {
            const why = `The arguments do not satisfy the schema: ${faultText(found)}`
            return refusedCall(call, state, why, "malformed")
          }
          const answered = await answerBy(tool, { ...call, args }, state, by)
          earlier.push(answered.call)
          return answered
        },
        close: () => servers.close(),
      }
    },
  }
}

interface AnswerPorts {
  readonly ports: ScriptPorts
  readonly servers: ConversationServers
  readonly item: SourceRow["item"]
  readonly earlier: readonly ConversationCall[]
  readonly options: AskOptions
}

function answerBy(
  tool: OpenedTool,
  call: ReadCall,
  state: unknown,
  { ports, servers, item, earlier, options }: AnswerPorts,
): AnsweredCall | Promise<AnsweredCall> {
  const { source } = tool
  switch (source.kind) {
    case "answers":
      return answerOf(source.answers, call, item, state)
    case "row":
      return answeredCall(call, source.answers.replyTo(call, item, earlier), state)
    case "script":
      return answerOfScript(source.program, { call, state }, ports, options)
    case "model":
      return answerOfModel(source.opened, { tool, call, state, earlier }, options)
    case "server":
    default:
      return servers.answer(source.program, call, state)
  }
}

/** Characters of the faults of arguments that are kept. */
const MAX_SHOWN = 1000

type Faults = NonNullable<Awaited<ReturnType<ValueChecker["check"]>>>

function faultText([first]: Faults): string {
  if (first === undefined) return ""
  return `${first.pointer === "" ? "" : `${first.pointer}: `}${first.message}`.slice(0, MAX_SHOWN)
}

/** Says in an error of a schema whose it is. */
function ofSchema(error: unknown, name: string): unknown {
  if (!isAssayError(error, "invalid_request")) return error
  const why = error.message.replace(/; correct the dataset metadata\.$/, "")
  const message = `The parameters of the tool '${name}' are not a schema for its arguments: ${why}; correct the tool.`
  return new AssayError("invalid_request", message, { cause: error })
}

function unknownTool(name: string, tools: readonly OpenedTool[]): string {
  const names = tools.map((tool) => tool.name)
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? ` Did you mean '${near.join("' or '")}'?` : ` The tools are: ${names.join(", ")}.`
  return `There is no tool '${name}'.${names.length === 0 ? "" : hint}`
}
