import { compileLinearPattern, type LinearPattern } from "../compile/linear-pattern.ts"
import { isJsonObject, type JsonSchema } from "../json-schema.ts"
import {
  below,
  evaluate,
  evaluateInto,
  fail,
  type Check,
  type CompilePart,
  type MakeChecks,
  type Node,
} from "./node.ts"

/** Creates the checks of object keywords, except `unevaluatedProperties`. */
export const objectChecks: MakeChecks = (schema, compile) => [
  requiredCheck(schema["required"]),
  countCheck("minProperties", schema["minProperties"], "fewer"),
  countCheck("maxProperties", schema["maxProperties"], "more"),
  namesCheck(schema["propertyNames"], compile),
  propertiesCheck(schema, compile),
  ...["dependentRequired", "dependentSchemas", "dependencies"].flatMap((key) => dependencyChecks(schema[key], compile)),
]

/**
 * Creates the check of `unevaluatedProperties`. It must run last, because it checks what no other keyword evaluated.
 */
export function unevaluatedPropertiesCheck(part: unknown, compile: CompilePart): Check | undefined {
  if (part === undefined) return undefined
  const node = compile(part)
  return (value, run, seen) => {
    if (!isJsonObject(value) || seen.allProperties) return true
    let isValid = true
    for (const name of Object.keys(value)) {
      if (seen.properties.has(name)) continue
      if (part === false) isValid = fail(run, extra("unevaluatedProperties", name, value))
      else if (!evaluate(node, value[name], below(run, name))) isValid = false
      if (!isValid && run.errors === null) return false
    }
    seen.allProperties = true
    return isValid
  }
}

function propertiesCheck(schema: JsonSchema, compile: CompilePart): Check | undefined {
  const { properties, patternProperties, additionalProperties: rest } = schema
  const named = new Map(entriesOf(properties).map(([name, part]) => [name, compile(part)]))
  const patterns = entriesOf(patternProperties).map(([pattern, part]): readonly [LinearPattern, Node] => [
    compileLinearPattern(pattern),
    compile(part),
  ])
  if (named.size === 0 && patterns.length === 0 && rest === undefined) return undefined
  const others = rest === undefined ? undefined : compile(rest)
  const nodesFor = (name: string): readonly Node[] => {
    const own = named.get(name)
    return [...(own === undefined ? [] : [own]), ...patterns.filter(([one]) => one.test(name)).map(([, node]) => node)]
  }
  return (value, run, seen) => {
    if (!isJsonObject(value)) return true
    let isValid = true
    for (const name of Object.keys(value)) {
      const nodes = nodesFor(name)
      if (nodes.length === 0 && others === undefined) continue
      seen.properties.add(name)
      if (nodes.length === 0 && rest === false) isValid = fail(run, extra("additionalProperties", name, value))
      for (const node of nodes.length > 0 ? nodes : rest === false || others === undefined ? [] : [others]) {
        if (!evaluate(node, value[name], below(run, name))) isValid = false
      }
      if (!isValid && run.errors === null) return false
    }
    return isValid
  }
}

function extra(keyword: "additionalProperties" | "unevaluatedProperties", name: string, data: unknown) {
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty"
  return { keyword, params: { [param]: name }, data }
}

function requiredCheck(required: unknown): Check | undefined {
  if (!Array.isArray(required)) return undefined
  const names = required as readonly string[]
  return (value, run) => {
    if (!isJsonObject(value)) return true
    const missing = names.filter((name) => !Object.hasOwn(value, name))
    for (const name of missing) {
      const message = `must have required property '${name}'`
      fail(run, { keyword: "required", params: { missingProperty: name }, message, data: value })
    }
    return missing.length === 0
  }
}

function countCheck(keyword: string, limit: unknown, word: "fewer" | "more"): Check | undefined {
  if (typeof limit !== "number") return undefined
  const message = `must NOT have ${word} than ${limit} properties`
  return (value, run) => {
    if (!isJsonObject(value)) return true
    const { length } = Object.keys(value)
    if (word === "fewer" ? length >= limit : length <= limit) return true
    return fail(run, { keyword, params: { limit }, message, data: value })
  }
}

function namesCheck(part: unknown, compile: CompilePart): Check | undefined {
  if (part === undefined) return undefined
  const node = compile(part)
  return (value, run) => {
    if (!isJsonObject(value)) return true
    let isValid = true
    for (const name of Object.keys(value)) {
      if (evaluate(node, name, run)) continue
      isValid = fail(run, {
        keyword: "propertyNames",
        params: { propertyName: name },
        message: "property name must be valid",
        data: value,
      })
    }
    return isValid
  }
}

/** Creates the checks that apply if a property exists: other required properties, or a schema for the whole object. */
function dependencyChecks(given: unknown, compile: CompilePart): readonly Check[] {
  return entriesOf(given).map(([name, part]) => {
    if (Array.isArray(part)) return dependentRequired(name, part as readonly string[])
    const node = compile(part)
    return (value, run, seen) =>
      !isJsonObject(value) || !Object.hasOwn(value, name) || evaluateInto(node, value, run, seen)
  })
}

function dependentRequired(name: string, names: readonly string[]): Check {
  return (value, run) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return true
    const missing = names.filter((one) => !Object.hasOwn(value, one))
    for (const one of missing) {
      const message = `must have property ${one} when property ${name} is present`
      fail(run, {
        keyword: "dependentRequired",
        params: { property: name, missingProperty: one },
        message,
        data: value,
      })
    }
    return missing.length === 0
  }
}

function entriesOf(part: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(part) ? Object.entries(part) : []
}
