import { isJsonObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import type { EvaluationModel } from "@assay/schemas"
import { checkDocument, faultAt, pointerTo } from "../document-faults.ts"
import { createFaults } from "../faults.ts"
import { taskDataset } from "../short/short-data.ts"
import type { ShortPrompt } from "../short/short-evaluation.ts"
import { expandPairwise } from "../short/short-judge.ts"
import { expandModel } from "../short/short-model.ts"
import { promptTemplate } from "../short/short-prompt.ts"
import { ArenaFile, MAX_MODELS } from "./arena-file.ts"

/** A model of an arena: one that is asked, or a folder with its answers. */
export type ArenaContestant =
  | {
      readonly kind: "model"
      readonly name: string
      readonly model: EvaluationModel
      /** Parameters of its requests. */
      readonly parameters: Readonly<Record<string, unknown>>
    }
  | { readonly kind: "folder"; readonly name: string; readonly folder: string }

/** An arena whose models, rows and judge are read. */
export interface OpenedArena {
  readonly models: readonly ArenaContestant[]
  /** The dataset of a task of the long form. */
  readonly dataset: object
  /** The template of the requests to models. Undefined: rows have `messages` or `prompt`. */
  readonly template: unknown
  readonly top: number
  readonly alpha: number
  readonly seed: number
  /** Parameters of the requests to all models. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The parameters of the metric `pairwise`, without `against`. */
  readonly judge: Readonly<Record<string, unknown>>
}

const ALPHA = 0.05
const TOP = 1
const SEED = 0

/** Reads an arena file. @throws `bad_document` with file, line and column of all faults, and the keys that were probably meant */
export function readArenaFile(document: LocatedDocument): OpenedArena {
  const { value } = document
  if (!isJsonObject(value))
    throw faultAt(document, "", "an arena file is an object with 'models', 'dataset' and 'judge'.")
  const faults = createFaults()
  checkDocument(document, { schema: ArenaFile, alsoKnown: [] }, faults)
  const count = isJsonObject(value["models"]) ? Object.keys(value["models"]).length : undefined
  if (count !== undefined && (count < 2 || count > MAX_MODELS) && !faults.has("/models")) {
    faults.add(faultAt(document, "/models", `has ${count} models; name from 2 to ${MAX_MODELS}.`), "/models")
  }
  faults.throwAll()
  // Checked against the schema.
  const { models, dataset, params = {}, judge } = value as ArenaFile
  const { template, top = TOP, alpha = ALPHA, seed = SEED, ...parameters } = params
  if (top >= Object.keys(models).length) {
    const pointer = "/params/top"
    faults.add(faultAt(document, pointer, `is ${top}, and there are ${Object.keys(models).length} models.`), pointer)
  }
  const contestants = Object.entries(models).flatMap(([name, given]) => {
    const pointer = pointerTo("/models", name)
    return faults.attempt(pointer, () => readContestant(document, { name, given, pointer })) ?? []
  })
  const read = faults.attempt("/params/template", () => ({
    template: template === undefined ? undefined : promptTemplate(document, template, "/params/template"),
  }))
  const asked = faults.attempt("/judge", () => readJudge(document, judge, template))
  faults.throwAll()
  return {
    models: contestants,
    dataset: taskDataset(dataset),
    template: read?.template,
    top,
    alpha,
    seed,
    parameters,
    judge: asked ?? {},
  }
}

interface GivenContestant {
  readonly name: string
  readonly given: ArenaFile["models"][string]
  readonly pointer: string
}

/** @throws `bad_document` */
function readContestant(document: LocatedDocument, { name, given, pointer }: GivenContestant): ArenaContestant {
  if (typeof given === "string" && !/^https?:/i.test(given)) return { kind: "folder", name, folder: given }
  if (typeof given === "string" && !/^[^#\s]+#\S/.test(given)) {
    throw faultAt(document, pointer, `'${given}' is an address without a model; write URL#NAME.`)
  }
  if (typeof given === "object" && "api_endpoint" in given) {
    return { kind: "model", name, model: given, parameters: {} }
  }
  if (typeof given === "object" && "type" in given) return { kind: "model", name, model: given.model, parameters: {} }
  const { model, parameters } = expandModel(document, given, pointer)
  return { kind: "model", name, model, parameters }
}

/** @throws `bad_document` */
function readJudge(
  document: LocatedDocument,
  judge: ArenaFile["judge"],
  prompt: ShortPrompt | undefined,
): Readonly<Record<string, unknown>> {
  const { model, ...rest } = judge
  const isLong = typeof model === "object" && "api_endpoint" in model
  // A model of the long form needs no expansion, and is put in below.
  const given = { ...rest, model: isLong ? "http://long#form" : model, against: "-" }
  const { against: _against, ...params } = expandPairwise(given, { document, pointer: "/judge", prompt })
  return isLong ? { ...params, judge: { model } } : params
}
