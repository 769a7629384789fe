import { isObject } from "@assay/json"
import type { FileChange } from "../file/edit-file.ts"

/** A model that a file asks. */
export interface FileModel {
  readonly name: string
  readonly url: string
  /** The name of the secret with its key. Undefined: none is sent. */
  readonly secret: string | undefined
}

/** Returns the models of a file, in its order. */
export function modelsOf(value: unknown): readonly FileModel[] {
  if (!isObject(value)) return []
  const { model, models } = value
  const several: readonly unknown[] = Array.isArray(models) ? models : isObject(models) ? Object.values(models) : []
  return [...(model === undefined || model === null ? [] : [model]), ...several].map(readModel)
}

function readModel(given: unknown): FileModel {
  if (isObject(given)) {
    const { url, model, key } = given
    return { url: textOf(url), name: textOf(model), secret: key === undefined ? undefined : textOf(key) }
  }
  const text = textOf(given)
  const at = text.indexOf("#")
  return at === -1 ? { url: "", name: text, secret: undefined } : { url: text.slice(0, at), name: text.slice(at + 1), secret: undefined }
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

/** Returns the change that adds a model to those of a file. Several are a list, or what the file has already. */
export function addModel(value: unknown, { url, name, secret }: FileModel): readonly FileChange[] {
  const entry = secret === undefined ? `${url}#${name}` : { url, model: name, key: secret }
  const { model, models } = isObject(value) ? value : {}
  if (Array.isArray(models)) return [{ path: ["models", models.length], value: entry }]
  if (isObject(models)) return [{ path: ["models", freeLabel(name, models)], value: entry }]
  const output: FileChange = { path: ["output"], value: undefined }
  if (model === undefined || model === null) return [output, { path: ["model"], value: entry }]
  return [{ path: ["models"], value: [model, entry] }, { path: ["model"], value: undefined }]
}

function freeLabel(name: string, taken: object): string {
  for (let number = 1; ; number += 1) {
    const label = number === 1 ? name : `${name} ${number}`
    if (!Object.hasOwn(taken, label)) return label
  }
}

/** Returns the changes that remove the model at a position. A list of one becomes a single model. */
export function removeModel(value: unknown, index: number): readonly FileChange[] {
  const { models } = isObject(value) ? value : {}
  if (isObject(models)) return [{ path: ["models", Object.keys(models)[index] ?? ""], value: undefined }]
  if (!Array.isArray(models)) return [{ path: ["model"], value: undefined }]
  const left: readonly unknown[] = models.filter((_, at) => at !== index)
  if (left.length > 1) return [{ path: ["models", index], value: undefined }]
  return [{ path: ["models"], value: undefined }, ...(left.length === 1 ? [{ path: ["model"], value: left[0] }] : [])]
}
