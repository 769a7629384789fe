import type { LocatedDocument } from "@assay/validation"
import { type ExpandedConversation, expandConversation } from "./conversation/expand-conversation.ts"
import { createOrigins, type Origins } from "./origins.ts"
import { expandCheck, type ExpandedCheck } from "./expand-check.ts"
import type { AgentConfig } from "@assay/schemas"
import type { Faults } from "./faults.ts"
import { expandGates, TASK } from "./expand-gates.ts"
import { faultAt, pointerTo } from "./document-faults.ts"
import { expandAgent } from "./agent/expand-agent.ts"
import { type Cell, cellsOf, NO_MODEL } from "./matrix.ts"
import { outputsTarget, taskDataset } from "./short/short-data.ts"
import type { ShortEvaluation } from "./short/short-evaluation.ts"
import { promptTemplate } from "./short/short-prompt.ts"
import { expandParams, present } from "./expand-params.ts"

/** One job of a file in the short form, as a document of the long form. */
export interface ExpandedFile {
  /** The model and the prompt that distinguish it from the others. Undefined: there is only one. */
  readonly label: string | undefined
  readonly document: LocatedDocument
  /** Names that several checks of the file have, each with the metrics of these checks. Absent in the long form. */
  readonly sharedNames?: ReadonlyMap<string, readonly string[]>
}

/**
 * Expands a document in the short form to one document of the long form for each cell of its models and prompts. Locations in the long form are those of
 * the values that they come from.
 * @param faults those of its schema; further ones are added: keys that exclude or need each other, and checks, models and gates that can't be expanded
 * @param texts the texts of the files of programs
 * @throws `bad_document` with all faults
 */
export function expandShortForm(
  document: LocatedDocument,
  faults: Faults,
  texts: ReadonlyMap<string, string>,
): readonly ExpandedFile[] {
  const given = document.value as ShortEvaluation
  const isWhole = faults.isEmpty
  // Models and prompts of a document that does not have its schema are not read.
  const cells = isWhole ? faults.attempt("", () => cellsOf(document, given)) : undefined
  const [first = NO_MODEL, ...others] = cells ?? []
  const agent = expandAgent(given, { document, faults, files: texts })
  const files = [first, ...others].map((cell) => {
    const origins = createOrigins()
    const held = expandConversation(given, { document, model: cell.model?.expanded, faults, files: texts, freeName })
    const checks = expandChecks(document, given, { cell, held }, faults)
    const named = new Map([...held.checks, ...checks])
    const gates = expandGates(document, given, named, faults)
    const value = (): object => expandCell(document, { given, cell, checks, held, agent, gates }, origins)
    const locationOf = (pointer: string) => document.locationOf(origins.of(pointer))
    return {
      label: cell.label,
      sharedNames: sharedNames(named),
      document: { value: faults.isEmpty ? faults.attempt("", value) : undefined, locationOf },
    }
  })
  faults.throwAll()
  return files
}

function sharedNames(checks: ReadonlyMap<string, ExpandedCheck>): ReadonlyMap<string, readonly string[]> {
  const metrics = Map.groupBy(checks.keys(), (metric) => checks.get(metric)?.name ?? metric)
  return new Map([...metrics].filter(([, same]) => same.length > 1))
}

interface CellParts extends TaskParts {
  readonly gates: readonly (string | object)[]
}

function expandCell(
  document: LocatedDocument,
  { given, cell, checks, held, agent, gates }: CellParts,
  origins: Origins,
): object {
  const { name, results, namespace, description, project, custom_fields } = given
  const tasks = { [TASK]: expandTask(document, { given, cell, checks, held, agent }, origins) }
  const params = expandParams(given, cell, origins)
  const target = expandTarget(given, cell, origins)
  origins.add("/config/name", "/name")
  origins.add("/output", "/results")
  for (const [to, at] of gates.flatMap((gate, index) => (typeof gate === "string" ? [] : [index])).entries()) {
    origins.add(pointerTo("/config/params/gates", to), pointerTo("/gates", at))
  }
  return {
    ...present({ namespace, description, project, custom_fields }),
    target,
    config: {
      type: "custom",
      ...present({ name }),
      ...(Object.keys(params).length === 0 ? {} : { params }),
      tasks,
    },
    ...(given.gates === undefined ? {} : { gates }),
    ...present({ output: results }),
  }
}

function expandTarget({ data, output }: ShortEvaluation, { model }: Cell, origins: Origins): object {
  if (model === undefined || output !== undefined) {
    const target = outputsTarget(data)
    origins.add("/target", "/data")
    return target
  }
  origins.add("/target", model.pointer)
  origins.add("/target/model/api_endpoint", model.pointer)
  origins.add("/target/model/api_endpoint/model_id", pointerTo(model.pointer, "model"))
  for (const name of ["api_key_env", "api_key_secret"]) {
    origins.add(`/target/model/api_endpoint/${name}`, pointerTo(model.pointer, "key"))
  }
  return { type: "model", model: model.expanded.model }
}

/** Expands the checks without a fault, each under its name. A name that is taken gets a number. */
function expandChecks(
  document: LocatedDocument,
  { checks }: Partial<ShortEvaluation>,
  { cell: { model, prompt }, held }: Pick<TaskParts, "cell" | "held">,
  faults: Faults,
): ReadonlyMap<string, ExpandedCheck> {
  const isConversation = held.config !== undefined
  const named = new Map<string, ExpandedCheck>()
  for (const [at, check] of (Array.isArray(checks) ? checks : []).entries()) {
    const pointer = pointerTo("/checks", at)
    if (faults.has(pointer)) continue
    const expanded = faults.attempt(pointer, () =>
      expandCheck(check, { document, pointer, prompt: prompt?.given, model: model?.expanded, isConversation }),
    )
    if (expanded !== undefined) named.set(freeName(expanded.name, new Map([...held.checks, ...named])), expanded)
  }
  const task = [...named.values(), ...held.checks.values()].find((one) => one.task !== undefined)
  if (task !== undefined && (named.size > 1 || isConversation)) {
    faults.add(
      faultAt(document, task.pointer, `asks how likely texts are, so no other check can be beside it.`),
      task.pointer,
    )
  }
  return named
}

/** Returns a name that is not taken: the given one, or the first of it with a number, from 2. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}_${number}`
    if (!taken.has(free)) return free
  }
}

interface TaskParts {
  readonly given: ShortEvaluation
  readonly cell: Cell
  readonly checks: ReadonlyMap<string, ExpandedCheck>
  readonly held: ExpandedConversation
  readonly agent: AgentConfig | undefined
}

function expandTask(
  document: LocatedDocument,
  { given, cell, checks, held, agent }: TaskParts,
  origins: Origins,
): object {
  const { data, output } = given
  const at = `/config/tasks/${TASK}`
  origins.add(at, "/checks")
  origins.add(`${at}/dataset`, "/data")
  origins.add(`${at}/output`, "/output")
  for (const [key, { pointer }] of checks) {
    origins.add(pointerTo(`${at}/metrics`, key), pointer)
    origins.add(`${pointerTo(`${at}/metrics`, key)}/params`, pointer)
  }
  const metrics = Object.fromEntries([...checks].map(([key, { metric }]) => [key, metric]))
  const { model, prompt } = cell
  if (held.config !== undefined) {
    for (const key of Object.keys(held.config)) origins.add(`${at}/params/conversation/${key}`, `/${key}`)
    return { type: "conversation", dataset: taskDataset(data), params: { conversation: held.config }, metrics }
  }
  if (agent !== undefined) {
    for (const key of Object.keys(agent)) origins.add(`${at}/params/agent/${key}`, `/agent/${key}`)
    if (prompt !== undefined) origins.add(`${at}/params/template`, prompt.pointer)
    const template = prompt === undefined ? {} : { template: promptTemplate(document, prompt.given, prompt.pointer) }
    const rows = model === undefined ? {} : { dataset: taskDataset(data) }
    return { type: "agent", ...rows, params: { agent, ...template }, metrics }
  }
  if (model === undefined) {
    // These two are read as they are, also if they are whole chat completions.
    const isUsual = /^\{\{\s*(?:item\.)?(?:output|response)\s*\}\}$/.test(output ?? "")
    return { type: "data", ...(isUsual ? {} : present({ output })), metrics }
  }
  const [only] = checks.values()
  if (only?.task !== undefined) {
    origins.add(`${at}/params`, only.pointer)
    origins.add(`${at}/params/template`, only.pointer)
    if (prompt !== undefined) {
      throw faultAt(document, prompt.pointer, `'${only.metric.type}' asks for no answer: leave the prompt out.`)
    }
    const template = Object.keys(only.task).length === 0 ? {} : { params: { template: only.task } }
    return { type: only.metric.type, dataset: taskDataset(data), ...template }
  }
  const isText = model.expanded.model.api_endpoint.format === "completions"
  const asked =
    prompt === undefined ? {} : { params: { template: promptTemplate(document, prompt.given, prompt.pointer) } }
  if (prompt !== undefined) origins.add(`${at}/params/template`, prompt.pointer)
  return { type: isText ? "completion" : "chat-completion", dataset: taskDataset(data), ...asked, metrics }
}
