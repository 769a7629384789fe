import { isJsonObject, type JsonObject } from "../files/read-json-file.ts"
import { valueAt } from "./config-values.ts"

/** Where models for more than text keep the config of their text half. */
const TEXT_HALVES = ["text_config", "llm_config", "language_config", "thinker_config.text_config"]

/** The config of the text half, with what only the whole config says; the config itself where there is one half. */
export function textConfig(config: JsonObject): JsonObject {
  const half = TEXT_HALVES.map((path) => valueAt(config, path)).find(isJsonObject)
  return half === undefined ? config : { ...config, ...half }
}
