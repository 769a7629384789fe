import type { JsonObject } from "../../schemas/json-schema.ts"
import { textOf, textsOf } from "./config-values.ts"
import { MODEL_FAMILIES, type ModelFamily } from "./model-families.ts"

/** The end of a class name, which says what the class is for. */
const HEAD = /(For[A-Z]\w*|LMHeadModel|LMHead|EncoderModel|TextModel|Model)$/

/** Returns the family of the first config that indicates one: by `model_type`, or else by the name of its class. */
export function findFamily(configs: readonly JsonObject[]): ModelFamily | undefined {
  return configs.map(byModelType).find((family) => family) ?? configs.map(byClass).find((family) => family)
}

/** Returns the first class that the configs name. */
export function architectureOf(configs: readonly JsonObject[]): string | undefined {
  return configs.map((config) => textsOf(config, "architectures")?.[0]).find((name) => name)
}

/** Returns the family of a `general.architecture`. */
export function findGgufFamily(architecture: string): ModelFamily | undefined {
  return MODEL_FAMILIES.find(({ gguf }) => gguf?.includes(architecture))
}

function byModelType(config: JsonObject): ModelFamily | undefined {
  const type = textOf(config, "model_type")
  if (type === undefined) return undefined
  return MODEL_FAMILIES.find(({ family, modelTypes }) => family === type || modelTypes?.includes(type))
}

function byClass(config: JsonObject): ModelFamily | undefined {
  const stem = architectureOf([config])?.replace(HEAD, "")
  return stem === undefined ? undefined : MODEL_FAMILIES.find(({ classes }) => classes.includes(stem))
}
