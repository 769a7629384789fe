import { fieldsOf } from "@assay/json"
import { type EvaluationConfigBody, printable } from "@assay/schemas"
import { type EvaluationContent, isPromptFile } from "@assay/evaluation-files"
import { AssayError } from "@assay/schemas/errors"

/** The long form of an import: a target of its own for each model, over the same tasks. */
export type ModelContents = readonly [EvaluationContent, ...EvaluationContent[]]

/** The jobs that one file can have. */
const MAX_JOBS = 100
/** Keys of parameters that are about the whole file, and their names in the short form. */
const OF_FILE = { parallelism: "parallel", repeats: "repeat" } as const

/**
 * Converts the contents of several models to one document in the short form, whose jobs are compared with the first.
 * @param names the labels of the models, which may repeat
 * @throws `bad_document` for more jobs than a file can have
 */
export function matrixDocument(contents: ModelContents, names: readonly string[]): object {
  const [first] = contents
  const { tasks = {}, params = {} } = first.config as EvaluationConfigBody
  const [[, task] = ["", undefined]] = Object.entries(tasks)
  const jobs = contents.length * Object.keys(tasks).length
  if (jobs > MAX_JOBS) {
    const message = `${contents.length} providers with ${Object.keys(tasks).length} prompts are ${jobs} jobs, and a file can have ${MAX_JOBS}; give --model URL#name to import one at a time.`
    throw new AssayError("bad_document", message)
  }
  const labels = uniqueNames(names)
  const templates = Object.entries(tasks).map(([name, { params: own }]) => [name, promptOf(own?.["template"])] as const)
  const [only] = templates
  const ofFile = Object.entries(OF_FILE).flatMap(([key, name]) =>
    key in params ? [[name, fieldsOf(params)[key]]] : [],
  )
  return {
    ...(first.description === undefined ? {} : { description: first.description }),
    models: contents.map((content, at) => modelOf(content, labels[at] ?? "")),
    ...(templates.length === 1 ? { prompt: only?.[1] } : { prompts: Object.fromEntries(templates) }),
    data: fieldsOf(task?.dataset)["files_url"],
    checks: Object.entries(task?.metrics ?? {}).map(([name, { type, params: own }]) => {
      if (own === undefined) return type
      return { ...(name === type ? {} : { name }), [type]: own }
    }),
    ...Object.fromEntries(ofFile),
    // Each prompt is a job of its own, so that the gates of all prompts become the same.
    ...(first.gates === undefined ? {} : { gates: [...new Set(first.gates.map((gate) => withoutTask(gate, tasks)))] }),
  }
}

/** Returns whether the short form takes a name for that of a variable. */
export function isVariable(name: string): boolean {
  return name === name.toUpperCase()
}

/** Returns the gate of a file with several models, which has one task: `test.passed >= 0.8`. */
function withoutTask(gate: string, tasks: object): string {
  const task = Object.keys(tasks).find((name) => gate.startsWith(`${name}.`))
  return task === undefined ? gate : gate.slice(task.length + 1)
}

function modelOf({ target, config }: EvaluationContent, name: string): object {
  const { model } = target as Exclude<EvaluationContent["target"], string>
  const { url, model_id, api_key_env: key, format } = fieldsOf(model?.api_endpoint)
  const { params = {} } = config as EvaluationConfigBody
  const own = Object.entries(params).filter(([key]) => !(key in OF_FILE))
  return {
    ...(name === model_id ? {} : { name }),
    url,
    model: model_id,
    ...(typeof key === "string" ? { key: key.toUpperCase() } : {}),
    ...(format === undefined ? {} : { format }),
    ...Object.fromEntries(own),
  }
}

/** Returns a template as text if it can't be taken for the name of a file. */
function promptOf(template: unknown): unknown {
  const { prompt } = fieldsOf(template)
  return typeof prompt === "string" && !isPromptFile(prompt) ? prompt : template
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((wanted) => {
    let name = printable(wanted)
    for (let number = 2; taken.has(name); number += 1) name = `${printable(wanted)} ${number}`
    taken.add(name)
    return name
  })
}
