import { basename, dirname, extname, join, resolve } from "node:path"
import { fieldsOf, isObject } from "@assay/json"
import type { EvaluationContent } from "@assay/evaluation-files"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { formatEvaluation, formatRow } from "../output/format-evaluation.ts"
import { createImportNotes, type ImportNote } from "../output/import-notes.ts"
import type { ImportedFile } from "../output/imported-file.ts"
import { createRows, type ModelAddress } from "./create-rows.ts"
import { isVariable, matrixDocument } from "./matrix-file.ts"
import { type ImportedPrompt, readPrompts } from "./read-prompts.ts"
import { type ImportedModel, readProviders } from "./read-providers.ts"
import { readTests } from "./read-tests.ts"
import { openSourceFiles } from "./source-files.ts"
import type { SourceValue } from "./source-value.ts"

export interface ImportPromptfooOptions {
  /** The configuration as the user wrote its path. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** The evaluation file, relative to the working folder. */
  readonly out: string
  /** A model instead of those of the configuration. */
  readonly model?: ModelAddress | undefined
  /** A model that judges, if the configuration names none. */
  readonly judge?: ModelAddress | undefined
}

/** An imported evaluation that is not written yet. */
export interface ImportedEvaluation {
  readonly files: readonly ImportedFile[]
  /** The outcome for each part of the source. */
  readonly notes: readonly ImportNote[]
  readonly rows: number
}

/** Maximum number of gates of a file. */
const MAX_GATES = 50

/** Keys by which a configuration of promptfoo is recognised. */
const OWN_KEYS: ReadonlySet<string> = new Set(["prompts", "providers", "targets", "tests", "scenarios", "defaultTest"])
/** Keys of another file that a message names. */
const MAX_NAMED = 5

/** Parts of a configuration that change results and are not imported. */
const UNKNOWN = ["nunjucksFilters", "extensions", "derivedMetrics", "redteam", "env", "transform"]

/** Converts a configuration of promptfoo to an evaluation file and its rows. Several models are jobs of this file, which are compared. @throws `bad_document`, `not_found` */
export async function importPromptfoo(options: ImportPromptfooOptions): Promise<ImportedEvaluation> {
  const { file, cwd, out } = options
  const path = resolve(cwd, file)
  const files = openSourceFiles(dirname(path), cwd)
  const notes = createImportNotes()
  const root = await files.readDocument(path)
  if (!isObject(root.value)) {
    throw new AssayError(
      "bad_document",
      `${root.location}: A configuration of promptfoo is an object with 'prompts', 'providers' and 'tests'.`,
    )
  }
  checkIsPromptfoo(root)
  for (const key of UNKNOWN) {
    if (root.value[key] === undefined) continue
    notes.add({ location: root.at(key).location, part: key, outcome: "left out", detail: "it is not imported" })
  }
  const models = modelsOf(root, options, notes)
  if (models.length > 1) noteVariables(root, models, notes)
  const tests = await readTests(root, { files, notes })
  const { prefix, suffix } = fieldsOf(fieldsOf(fieldsOf(root.value)["defaultTest"])["options"])
  const frame = { prefix: typeof prefix === "string" ? prefix : "", suffix: typeof suffix === "string" ? suffix : "" }
  const prompts = await readPrompts(root.at("prompts"), { files, notes, frame })
  const built = await createRows({
    tests,
    names: new Set(prompts.flatMap(({ names }) => names)),
    files,
    notes,
    judge: options.judge,
  })
  const rowsName = `${basename(out, extname(out))}.rows.jsonl`
  const isMatrix = models.length > 1
  if (!isMatrix && prompts.length > MAX_GATES) {
    const detail = `failed tests of the prompts after the first ${MAX_GATES} do not change the exit code`
    notes.add({ location: root.at("prompts").location, part: "prompts", outcome: "changed", detail })
  }
  const contents = models.map((model) => contentOf(model, { root, prompts, metrics: built.metrics, rowsName }))
  const comments = [
    `Made of ${printable(basename(file))} by \`assay import promptfoo\`.`,
    // promptfoo fails if one test does. An interval would leave this open for all but large suites.
    "As with promptfoo, `assay eval run` exits with 1 if a test fails or has no answer: `gates` ask that all of these rows pass.",
    `For a limit that holds for other rows, too, write a gate without \`on these rows\`, such as ${isMatrix ? "" : "prompt."}test.passed >= 0.8.`,
  ]
  return {
    files: [
      { path: join(dirname(resolve(cwd, out)), rowsName), text: built.rows.map(formatRow) },
      { path: resolve(cwd, out), text: formatModels(contents, models, comments) },
    ],
    notes: notes.list(),
    rows: built.rows.length,
  }
}

/** @throws `bad_document` if no key is one of promptfoo, so that the message speaks of the file and not of its providers */
function checkIsPromptfoo({ value, location }: SourceValue): void {
  const keys = Object.keys(fieldsOf(value))
  if (keys.some((key) => OWN_KEYS.has(key))) return
  const found =
    keys.length === 0
      ? "nothing"
      : keys
          .slice(0, MAX_NAMED)
          .map((key) => `'${printable(key.slice(0, 40))}'`)
          .join(", ")
  const message = `This is not a configuration of promptfoo, which has 'prompts', 'providers' and 'tests'. It has ${found}.`
  throw new AssayError("bad_document", `${location}: ${message}`)
}

function formatModels(
  contents: readonly EvaluationContent[],
  models: readonly ImportedModel[],
  comments: readonly string[],
): string {
  const [first, ...others] = contents
  if (first === undefined || others.length === 0) return contents.map((one) => formatEvaluation(one, comments)).join("")
  const document = matrixDocument(
    [first, ...others],
    models.map(({ name }) => name),
  )
  return formatEvaluation(document, [...comments, "Each model is a job of its own, which is compared with the first."])
}

function modelsOf(
  root: SourceValue,
  { model }: ImportPromptfooOptions,
  notes: ReturnType<typeof createImportNotes>,
): readonly ImportedModel[] {
  const key = fieldsOf(root.value)["providers"] === undefined ? "targets" : "providers"
  if (model !== undefined) {
    return [{ name: model.name, endpoint: { url: model.url, model_id: model.name }, params: {} }]
  }
  const models = readProviders(root.at(key), notes)
  if (models.length > 0) return models
  const reasons = notes.list().filter(({ part }) => part.startsWith("provider "))
  const reason = reasons.map(({ location, part, detail }) => ` ${location}: ${part}: ${detail}.`).join("")
  const message = `No provider names a model with chat completions; give --model URL#name.${reason}`
  throw new AssayError("bad_document", `${root.at(key).location}: ${message}`)
}

/** Notes variables with keys that a file with several models has under another name. */
function noteVariables(
  root: SourceValue,
  models: readonly ImportedModel[],
  notes: ReturnType<typeof createImportNotes>,
): void {
  for (const { name, endpoint } of models) {
    const { api_key_env: key } = endpoint
    if (key === undefined || isVariable(key)) continue
    const detail = `the variable '${printable(key)}' has to be called ${printable(key.toUpperCase())}`
    notes.add({ location: root.location, part: `key of ${printable(name)}`, outcome: "changed", detail })
  }
}

interface ContentParts {
  readonly root: SourceValue
  readonly prompts: readonly ImportedPrompt[]
  readonly metrics: NonNullable<NonNullable<Extract<EvaluationContent["config"], object>["tasks"]>[string]["metrics"]>
  readonly rowsName: string
}

function contentOf(model: ImportedModel, { root, prompts, metrics, rowsName }: ContentParts): EvaluationContent {
  const { maxConcurrency, repeat } = fieldsOf(fieldsOf(root.value)["evaluateOptions"])
  const { description } = fieldsOf(root.value)
  const dataset = { files_url: `./${rowsName}` }
  const params = {
    ...model.params,
    ...(typeof maxConcurrency === "number" && maxConcurrency >= 1
      ? { parallelism: Math.min(1024, Math.floor(maxConcurrency)) }
      : {}),
    ...(typeof repeat === "number" && repeat > 1 ? { repeats: Math.min(1000, Math.floor(repeat)) } : {}),
  }
  const names = taskNames(prompts)
  const type = model.endpoint.format === undefined ? "chat-completion" : "completion"
  const tasks = prompts.map(({ template }, index) => [
    names[index] ?? "prompt",
    { type, dataset, params: { template }, metrics },
  ])
  const isTested = Object.hasOwn(metrics, "test")
  return {
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    target: { type: "model", model: { api_endpoint: model.endpoint } },
    config: {
      type: "custom",
      ...(Object.keys(params).length === 0 ? {} : { params }),
      tasks: Object.fromEntries(tasks) as NonNullable<Extract<EvaluationContent["config"], object>["tasks"]>,
    },
    ...(isTested ? { gates: names.slice(0, MAX_GATES).map((name) => `${name}.test.passed >= 1 on these rows`) } : {}),
  }
}

function taskNames(prompts: readonly ImportedPrompt[]): readonly string[] {
  const names = new Set<string>()
  return prompts.map(({ label }, index) => {
    const base = (label ?? (prompts.length === 1 ? "prompt" : `prompt-${index + 1}`))
      .replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")
      .slice(0, 60)
    const name = names.has(base) || base === "" ? `prompt-${index + 1}` : base
    names.add(name)
    return name
  })
}
