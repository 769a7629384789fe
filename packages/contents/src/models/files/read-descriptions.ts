import type { StoredFile } from "@assay/storage"
import type { JsonObject } from "../../schemas/json-schema.ts"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import type { CheckpointFolder } from "./find-checkpoint.ts"
import { readJsonFile, readTextFile } from "./read-checkpoint-file.ts"

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
}

/** Tokenizer configs with thousands of added tokens have about 10 MB. */
const MAX_JSON_BYTES = 32 * 1024 * 1024
export const MAX_TEMPLATE_BYTES = 1024 * 1024

const PACKING_FILES = ["hf_quant_config.json", "quantize_config.json", "quant_config.json"]

/**
 * Reads the description files in parallel.
 * @throws `broken_checkpoint`
 */
export async function readDescriptions(reader: CheckpointReader, folder: CheckpointFolder): Promise<Descriptions> {
  const find = (...names: readonly string[]) => names.map((name) => folder.files.get(name)).find((file) => file)
  const json = (file: StoredFile | undefined) =>
    file === undefined ? null : readJsonFile(reader, file, MAX_JSON_BYTES)
  const text = (file: StoredFile | undefined) =>
    file === undefined ? null : readTextFile(reader, file, MAX_TEMPLATE_BYTES)
  const [config, tokenizer, generation, adapter, packing, templateText, template] = await Promise.all([
    json(find("config.json")),
    json(find("tokenizer_config.json")),
    json(find("generation_config.json")),
    json(find("adapter_config.json")),
    json(find(...PACKING_FILES)),
    text(find("chat_template.jinja")),
    json(find("chat_template.json")),
  ])
  return { config, tokenizer, generation, adapter, packing, templateText, template }
}
