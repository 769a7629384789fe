import { AssayError, messageOf } from "@assay/schemas/errors"
import { quotePath, type StoredFile } from "@assay/storage"
import { isJsonObject, type JsonObject } from "@assay/json"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import type { CheckpointFolder } from "./find-checkpoint.ts"

/** The files beside the weights that describe the model. Null for files that do not exist. */
export interface Descriptions {
  readonly config: JsonObject | null
  readonly tokenizer: JsonObject | null
  readonly generation: JsonObject | null
  /** Config of a trained prompt or adapter. */
  readonly adapter: JsonObject | null
  /** The packing of the weights, if a tool stored it beside the config. */
  readonly packing: JsonObject | null
  /** `chat_template.jinja` */
  readonly templateText: string | null
  /** `chat_template.json` */
  readonly template: JsonObject | null
  /** `additional_chat_templates/NAME.jinja`, by name. */
  readonly namedTemplates: ReadonlyMap<string, string>
}

/** The files that can contain the chat template of a model. */
export type TemplateDescriptions = Pick<Descriptions, "tokenizer" | "templateText" | "template" | "namedTemplates">

/** Tokenizer configs with thousands of added tokens have about 10 MB. */
const MAX_JSON_BYTES = 32 * 1024 * 1024
export const MAX_TEMPLATE_BYTES = 1024 * 1024

const PACKING_FILES = ["hf_quant_config.json", "quantize_config.json", "quant_config.json"]

/**
 * Reads the description files in parallel.
 * @throws `broken_checkpoint`
 */
export async function readDescriptions(reader: CheckpointReader, folder: CheckpointFolder): Promise<Descriptions> {
  const [config, generation, adapter, packing, templates] = await Promise.all([
    readJson(reader, folder, "config.json"),
    readJson(reader, folder, "generation_config.json"),
    readJson(reader, folder, "adapter_config.json"),
    readJson(reader, folder, ...PACKING_FILES),
    readTemplates(reader, folder),
  ])
  return { config, generation, adapter, packing, ...templates }
}

/** Reads the files that can contain the chat template and the special tokens of a model. @throws `broken_checkpoint` */
export async function readTemplates(reader: CheckpointReader, folder: CheckpointFolder): Promise<TemplateDescriptions> {
  const file = folder.files.get("chat_template.jinja")
  const text = (one: StoredFile) => readTextFile(reader, one, MAX_TEMPLATE_BYTES)
  const [tokenizer, template, templateText, named] = await Promise.all([
    readJson(reader, folder, "tokenizer_config.json"),
    readJson(reader, folder, "chat_template.json"),
    file === undefined ? null : text(file),
    Promise.all([...folder.templates].map(async ([name, one]) => [name, await text(one)] as const)),
  ])
  return { tokenizer, template, templateText, namedTemplates: new Map(named) }
}

/** Reads the first of the named JSON files that exists. Returns null if there is none. */
async function readJson(
  reader: CheckpointReader,
  { files }: CheckpointFolder,
  ...names: readonly string[]
): Promise<JsonObject | null> {
  const file = names.map((name) => files.get(name)).find((one) => one)
  return file === undefined ? null : readJsonFile(reader, file, MAX_JSON_BYTES)
}

/**
 * Reads a file that holds a JSON object.
 * @throws `broken_checkpoint` if it is longer than `limit` bytes or holds anything else
 */
export async function readJsonFile(reader: CheckpointReader, file: StoredFile, limit: number): Promise<JsonObject> {
  const text = await readTextFile(reader, file, limit)
  let value: unknown
  try {
    value = parsePythonJson(text)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new AssayError("broken_checkpoint", `The file ${quotePath(file.path)} is not JSON: ${reason}.`, { cause })
  }
  if (isJsonObject(value)) return value
  throw new AssayError("broken_checkpoint", `The file ${quotePath(file.path)} does not contain a JSON object.`)
}

/**
 * Reads a text file.
 * @throws `broken_checkpoint` if it is longer than `limit` bytes
 */
async function readTextFile(reader: CheckpointReader, file: StoredFile, limit: number): Promise<string> {
  if (file.size > limit) {
    const message = `The file ${quotePath(file.path)} has ${file.size} bytes; such a file is read up to ${limit}.`
    throw new AssayError("broken_checkpoint", message)
  }
  const bytes = await reader.read(file, 0, file.size)
  return bytes.toString("utf8").replace(/^\u{feff}/u, "")
}

/** A string, or a word that Python writes for a number that JSON lacks. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g

/**
 * Parses JSON as Python writes it: `Infinity`, `-Infinity` and `NaN` become null.
 * @throws SyntaxError
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const strict = text.replaceAll(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : "null"))
    if (strict === text) throw error
    return JSON.parse(strict)
  }
}
