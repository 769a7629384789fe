import { existsSync } from "node:fs"
import { basename, dirname, relative, resolve } from "node:path"
import { openRows } from "@assay/contents"
import { fieldsOf, listOf, nearestNumbers } from "@assay/json"
import type { EvaluationContent } from "@assay/evaluation-files"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatEvaluation } from "../output/format-evaluation.ts"
import { createImportNotes, type ImportNote, type ImportNotes } from "../output/import-notes.ts"
import type { ImportedFile } from "../output/imported-file.ts"
import type { ModelAddress } from "../promptfoo/create-rows.ts"
import { type LmEvalTask, readLmEvalTask } from "./read-task.ts"
import { columnsOf, literalTemplate, renderShots, type TaskTemplates, taskTemplates } from "./task-templates.ts"
import { openRowFile } from "../open-row-file.ts"
import { valueText } from "@assay/scoring"
import { bodyOf } from "./task-body.ts"

export interface ImportLmEvalOptions {
  /** The task as the user wrote its path. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  readonly model: ModelAddress
  /** The rows of the task; required unless the task names files. */
  readonly data?: string | undefined
  /** The rows from which examples are taken. */
  readonly shots?: string | undefined
  /** Whether written answers are asked as a chat. */
  readonly isChat: boolean
}

export interface ImportedTask {
  readonly files: readonly ImportedFile[]
  readonly notes: readonly ImportNote[]
}

const TYPES = ["generate_until", "multiple_choice", "loglikelihood", "loglikelihood_rolling"]
/** Keys that say nothing about scores, or that are read by their names. */
const KNOWN: ReadonlySet<string> = new Set([
  "task",
  "task_alias",
  "tag",
  "group",
  "metadata",
  "dataset_path",
  "dataset_name",
  "dataset_kwargs",
  "training_split",
  "validation_split",
  "test_split",
  "fewshot_split",
  "doc_to_text",
  "doc_to_target",
  "doc_to_choice",
  "output_type",
  "generation_kwargs",
  "num_fewshot",
  "fewshot_config",
  "fewshot_delimiter",
  "target_delimiter",
  "description",
  "metric_list",
  "filter_list",
  "repeats",
  "should_decontaminate",
  "doc_to_decontamination_query",
])

/** Converts a task of lm-evaluation-harness to an evaluation file. @throws `bad_document`, `not_found` */
export async function importLmEval(options: ImportLmEvalOptions): Promise<ImportedTask> {
  const { file, cwd, out, model, isChat } = options
  const task = await readLmEvalTask(resolve(cwd, file), printable(file))
  const { fields, locationOf } = task
  const notes = createImportNotes()
  if (Array.isArray(fields["task"]))
    throw new AssayError("bad_document", `${locationOf("task")}: This is a group of tasks; import each of its tasks.`)
  const output = valueText(fields["output_type"] ?? "generate_until")
  if (!TYPES.includes(output))
    throw new AssayError(
      "bad_document",
      `${locationOf("output_type")}: '${printable(output)}' is not a type of output; it is one of ${TYPES.join(", ")}.`,
    )
  for (const key of Object.keys(fields)) {
    if (!KNOWN.has(key))
      notes.add({
        location: locationOf(key),
        part: key.slice(0, 60),
        outcome: "left out",
        detail: "it is not imported",
      })
  }
  const data = dataOf(task, options)
  const [first] = await firstRows(data, 1)
  const templates = taskTemplates(task, columnsOf(first))
  const prefix = await prefixOf(task, templates, { options, notes })
  const folder = dirname(resolve(cwd, out))
  const path = relative(folder, data)
  const files_url = path.startsWith("..") ? path : `./${path}`
  const body = bodyOf(output, { task, templates, prefix, notes, isChat })
  const isText = !isChat || output !== "generate_until"
  const name = valueText(fields["task"] ?? basename(file).replace(/\.ya?ml$/, ""))
    .replaceAll(/[^\w-]+/g, "-")
    .slice(0, 100)
  const { repeats } = fields
  const content: EvaluationContent = {
    target: {
      type: "model",
      model: { api_endpoint: { url: model.url, model_id: model.name, ...(isText ? { format: "completions" } : {}) } },
    },
    config: {
      type: "custom",
      ...(typeof repeats === "number" && repeats > 1 ? { params: { repeats } } : {}),
      tasks: { [name]: { ...body, dataset: { files_url } } },
    },
  }
  const comments = [`Made of ${printable(basename(file))} by \`assay import lm-eval\`.`]
  return { files: [{ path: resolve(cwd, out), text: formatEvaluation(content, comments) }], notes: notes.list() }
}

/** Returns the absolute path of the rows. @throws `bad_document` if they are only on the hub */
function dataOf(task: LmEvalTask, { data, cwd }: ImportLmEvalOptions): string {
  if (data !== undefined) return existing(resolve(cwd, data), data)
  const { dataset_path: path, dataset_kwargs: kwargs, test_split: test, validation_split: validation } = task.fields
  const files = fieldsOf(kwargs)["data_files"]
  const split = typeof test === "string" ? test : typeof validation === "string" ? validation : "test"
  const named = typeof files === "string" ? files : fieldsOf(files)[split]
  const [written] = listOf(named).length > 0 ? listOf(named) : [named]
  if (typeof written === "string") return existing(resolve(task.folderOf("dataset_kwargs"), written), written)
  const message = `The rows are in the dataset '${printable(String(path))}' (${split}); save them as JSONL, CSV or Parquet, and give --data FILE.`
  throw new AssayError("bad_document", `${task.locationOf("dataset_path")}: ${message}`)
}

function existing(path: string, written: string): string {
  if (existsSync(path)) return path
  throw new AssayError("not_found", `There is no file '${printable(written)}' with the rows of the task.`, {
    context: { file: path },
  })
}

async function firstRows(path: string, count: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { storage, path: inside } = openRowFile(path, path)
  const rows: Readonly<Record<string, unknown>>[] = []
  for await (const batch of openRows(storage, inside, { numbers: "value" })) {
    for (const { row, fault, line } of batch) {
      if (fault !== null) throw new AssayError("bad_document", `${printable(path)}:${line ?? 1}:1: The row ${fault}.`)
      rows.push(fieldsOf(nearestNumbers(row)))
      if (rows.length >= count) return rows
    }
  }
  return rows
}

interface PrefixSource {
  readonly options: ImportLmEvalOptions
  readonly notes: ImportNotes
}

/** Returns the template of what comes before each question: the description and the examples. @throws `bad_document` */
async function prefixOf(task: LmEvalTask, templates: TaskTemplates, { options, notes }: PrefixSource): Promise<string> {
  const { num_fewshot: wanted, fewshot_config: config } = task.fields
  const count = typeof wanted === "number" ? Math.max(0, Math.floor(wanted)) : 0
  if (count === 0) return templates.description
  const inline = listOf(fieldsOf(config)["samples"])
  const location = task.locationOf("num_fewshot")
  const shots =
    inline.length > 0
      ? inline.map((one) => fieldsOf(one))
      : options.shots === undefined
        ? []
        : await firstRows(resolve(options.cwd, options.shots), count)
  if (shots.length < count) {
    const message = `The task has ${count} examples before each question, and ${shots.length} are known; save those of '${valueText(task.fields["fewshot_split"] ?? "train")}' and give --shots FILE.`
    throw new AssayError("bad_document", `${location}: ${message}`)
  }
  const isSame = inline.length > 0 || fieldsOf(config)["sampler"] === "first_n"
  notes.add({
    location,
    part: "num_fewshot",
    outcome: isSame ? "mapped" : "changed",
    detail: isSame
      ? `${count} examples`
      : `the first ${count} rows of --shots, not ${count} at random for each question`,
  })
  return `${templates.description}${literalTemplate(renderShots(templates, shots.slice(0, count)))}`
}
