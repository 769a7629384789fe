import { describeData } from "./describe-data.ts"
import { isPlainObject } from "./is-plain-object.ts"
import type { ReadShape } from "./read-shape.ts"
import { engineValue, type EngineValue } from "./template-engine.ts"
import { TemplateFailure } from "./template-failure.ts"

/** Of what each object was made of which only a part was converted. */
export type PartialOriginals = WeakMap<EngineValue, object>

/**
 * A value of the caller's as one of the engine, as far as it is read: rows can be large, and converting costs more than
 * rendering. Values are data, of which own properties are seen alone; what JSON can't say fails.
 */
export function toEngineValue(
  value: unknown,
  { path, shape }: { readonly path: string; readonly shape: ReadShape },
  originals: PartialOriginals,
): EngineValue {
  if (shape === "whole" || typeof value !== "object" || value === null || Array.isArray(value)) {
    checkData(value, path)
    return engineValue(value)
  }
  checkPlain(value, path)
  const part = engineValue({})
  const entries = part.value as Map<string, EngineValue>
  for (const [key, below] of shape) {
    if (!Object.hasOwn(value, key)) continue
    const property = (value as Readonly<Record<string, unknown>>)[key]
    entries.set(key, toEngineValue(property, { path: `${path}.${key}`, shape: below }, originals))
  }
  originals.set(part, value)
  return part
}

/** @throws TemplateFailure that names the place of what is no data */
function checkData(value: unknown, path: string): void {
  switch (typeof value) {
    case "bigint":
    case "function":
    case "symbol":
      throw noData(value, path)
    case "object":
      if (value === null) return
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) checkData(value[index], `${path}[${index}]`)
        return
      }
      checkPlain(value, path)
      for (const [key, below] of Object.entries(value)) checkData(below, `${path}.${key}`)
      return
    case "string":
    case "number":
    case "boolean":
    case "undefined":
      return
    default:
  }
}

function checkPlain(value: object, path: string): void {
  if (!isPlainObject(value)) throw noData(value, path)
}

function noData(value: unknown, path: string): TemplateFailure {
  return new TemplateFailure(
    `can't be rendered: \`${path}\` is ${describeData(value)}; give texts, numbers, booleans, null, lists and plain objects`,
  )
}
