import type { JsonSchema } from "@assay/contents"
import { type ConversationConfig, type ConversationTool, invalidRequest, toolFault } from "@assay/schemas"
import { type ProgramTexts, programTexts } from "../../program-texts.ts"
import { type AskedModel, askedModel } from "./asked-model.ts"
import { type CompiledAnswer, compileAnswer, templatesOfAnswers } from "./fixture-tool.ts"
import { compileRowAnswers, type RowAnswers } from "./row-answers.ts"

/** A program of a file, with its defaults filled in. */
export interface ToolProgram extends ProgramTexts {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly timeLimitMs: number
}

/** Where the answers of a tool come from. */
export type ToolSource =
  | { readonly kind: "answers"; readonly answers: readonly CompiledAnswer[] }
  /** The answers are in the row. */
  | { readonly kind: "row"; readonly answers: RowAnswers }
  | { readonly kind: "script"; readonly program: ToolProgram }
  | { readonly kind: "model"; readonly model: AskedModel }

/** A tool with a name that models can call. */
export interface CompiledTool {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonSchema | undefined
  readonly source: ToolSource
}

/** A server whose tools are offered: all of them, or the only one with a name. */
export interface CompiledServer {
  readonly program: ToolProgram
  readonly only: Pick<CompiledTool, "description" | "parameters"> & { readonly name: string | undefined }
}

/** In the order of the file. */
export type CompiledTools = readonly (CompiledTool | CompiledServer)[]

type Templates = ReturnType<typeof templatesOfAnswers>

/** Seconds that one call of a program may take, unless the file says otherwise. */
const CALL_TIME = 30

/** @throws `template_error`, `invalid_request` that name the part */
export function compileTools(
  { tools = [], tool_models: models = [] }: Pick<ConversationConfig, "tools" | "tool_models">,
  location: string,
): CompiledTools {
  const seen = new Set<string>()
  const programs = new Map<string, ToolProgram>()
  const unknown = models.find(({ tool }) => !tools.some(({ name }) => name === tool))
  if (unknown !== undefined) {
    const path = [...location.split(".").slice(0, -1), "tool_models"]
    throw invalidRequest(path, `there is no tool '${unknown.tool}'.`, "value_error")
  }
  return tools.map((tool, at): CompiledTool | CompiledServer => {
    const own = `${location}.${at}`
    const model = models.find((one) => one.tool === tool.name)?.model
    const fault = toolFault({ ...tool, model })
    if (fault !== undefined) {
      throw invalidRequest([...own.split("."), ...(fault.key === "" ? [] : [fault.key])], fault.why, "value_error")
    }
    const { name, description, parameters, answers = [], script, mcp } = tool
    if (name !== undefined && seen.has(name)) throw twice(name, own)
    if (name !== undefined) seen.add(name)
    if (mcp !== undefined)
      return { program: serverOf(programOf(mcp.command, mcp), programs), only: { name, description, parameters } }
    const source: ToolSource =
      script !== undefined
        ? { kind: "script", program: programOf(script, tool) }
        : model !== undefined
          ? { kind: "model", model: askedModel(model, `${own}.model`) }
          : answersOf(answers, `${own}.answers`)
    return { name: name ?? "", description, parameters, source }
  })
}

function answersOf(answers: NonNullable<ConversationTool["answers"]>, location: string): ToolSource {
  if (typeof answers === "string") return { kind: "row", answers: compileRowAnswers(answers, location) }
  return { kind: "answers", answers: answers.map((one, index) => compileAnswer(one, `${location}.${index}`)) }
}

function twice(name: string, location: string) {
  return invalidRequest([...location.split("."), "name"], `'${name}' is the name of two tools.`, "value_error")
}

function programOf(
  command: readonly string[],
  { files, environment = {}, timeout = CALL_TIME }: Pick<ConversationTool, "files" | "environment" | "timeout">,
): ToolProgram {
  return { command, ...programTexts(files), environment, timeLimitMs: timeout * 1000 }
}

/** Returns the same program for equal ones, which are one server. */
function serverOf(program: ToolProgram, programs: Map<string, ToolProgram>): ToolProgram {
  const key = JSON.stringify(program)
  const known = programs.get(key) ?? program
  programs.set(key, known)
  return known
}

export function isServer(tool: CompiledTool | CompiledServer): tool is CompiledServer {
  return "only" in tool
}

/** Returns the templates of all tools. */
export function templatesOfTools(tools: CompiledTools): Templates {
  return tools.flatMap((tool) => {
    if (isServer(tool)) return []
    const { source } = tool
    if (source.kind === "row") return source.answers.templates
    return source.kind === "answers" ? templatesOfAnswers(source.answers) : []
  })
}

/** Returns the models that play tools. */
export function modelsOfTools(tools: CompiledTools): readonly AskedModel[] {
  return tools.flatMap((tool) => (isServer(tool) || tool.source.kind !== "model" ? [] : [tool.source.model]))
}

/** Returns whether a tool has a program, which needs a sandbox. */
export function hasPrograms(tools: CompiledTools): boolean {
  return tools.some((tool) => isServer(tool) || tool.source.kind === "script")
}

/** Returns the description of a tool for a model. */
export function toldOf({
  name,
  description,
  parameters,
}: Omit<CompiledTool, "source">): Readonly<Record<string, unknown>> {
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? { type: "object", properties: {} },
    },
  }
}

/** Returns the descriptions of the tools that are known without starting a server. */
export function toldOfAll(tools: CompiledTools): readonly Readonly<Record<string, unknown>>[] {
  return tools.flatMap((tool) => (isServer(tool) ? [] : [toldOf(tool)]))
}
