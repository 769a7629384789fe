import type { JsonObject } from "../../schemas/json-schema.ts"
import { textOf, textsOf } from "./config-values.ts"
import { MODEL_FAMILIES, type ModelFamily } from "./model-families.ts"

/** What a class is made for: the end of its name. */
const HEAD = /(For[A-Z]\w*|LMHeadModel|LMHead|EncoderModel|TextModel|Model)$/

/** The family of the first config that tells one: by its `model_type`, else by the class that it names. */
export function findFamily(configs: readonly JsonObject[]): ModelFamily | undefined {
  return configs.map(byModelType).find((family) => family) ?? configs.map(byClass).find((family) => family)
}

/** The first class that the configs name. */
export function architectureOf(configs: readonly JsonObject[]): string | undefined {
  return configs.map((config) => textsOf(config, "architectures")?.[0]).find((name) => name)
}

/** The family of a `general.architecture`. */
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
