import { isJsonObject, type JsonObject } from "../files/read-json-file.ts"
import { CONFIG_KEYS, type ConfigSize } from "./config-keys.ts"

/** What stands under `path`, in which a dot goes into an object. */
export function valueAt(config: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      config,
    )
}

/** The first size above 0 that the config gives; of a list with one for each layer the largest. */
export function sizeOf(config: JsonObject, size: ConfigSize): number | undefined {
  for (const key of CONFIG_KEYS[size]) {
    const value = valueAt(config, key)
    const found = Array.isArray(value) ? value.filter(isSize).reduce((most, one) => Math.max(most, one), 0) : value
    if (isSize(found) && found > 0) return found
  }
  return undefined
}

export function textOf(config: JsonObject, path: string): string | undefined {
  const value = valueAt(config, path)
  return typeof value === "string" ? value : undefined
}

export function flagOf(config: JsonObject, path: string): boolean | undefined {
  const value = valueAt(config, path)
  return typeof value === "boolean" ? value : undefined
}

export function numberOf(config: JsonObject, path: string): number | undefined {
  const value = valueAt(config, path)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** The texts of a list, such as the types of the layers. */
export function textsOf(config: JsonObject, path: string): readonly string[] | undefined {
  const value = valueAt(config, path)
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
}
