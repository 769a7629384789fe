import { exactOf } from "./exact-engine-value.ts"
import type { EngineValue } from "./template-engine.ts"
import { TemplateFailure } from "./template-failure.ts"

/** A value of the engine as a plain one. */
export function fromEngineValue(result: EngineValue | undefined): unknown {
  if (result === undefined) return null
  switch (result.type) {
    case "UndefinedValue":
    case "NullValue":
      return null
    case "ArrayValue":
    case "TupleValue":
      return (result.value as readonly EngineValue[]).map(fromEngineValue)
    case "ObjectValue":
    case "NamespaceValue":
      return Object.fromEntries(
        [...(result.value as ReadonlyMap<string, EngineValue>)].map(([key, value]) => [key, fromEngineValue(value)]),
      )
    case "FunctionValue":
      throw new TemplateFailure("can't be rendered: it is a function; call it with `()`")
    default:
      return exactOf(result.value) ?? result.value
  }
}
