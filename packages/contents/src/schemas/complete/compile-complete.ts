import type { CompiledSchema, SchemaError } from "../compile/compiled-schema.ts"
import type { Dialect } from "../compile/dialect.ts"
import { definitionId, mapSchema, type LinkedSchema } from "../compile/link-definitions.ts"
import { isJsonObject, type JsonSchema } from "../json-schema.ts"
import { arrayChecks, unevaluatedItemsCheck } from "./array-checks.ts"
import { logicChecks } from "./logic-checks.ts"
import { evaluate, evaluateInto, fail, type Check, type Node, type Scope } from "./node.ts"
import { objectChecks, unevaluatedPropertiesCheck } from "./object-checks.ts"
import { createResources, type Resource, type Target } from "./resources.ts"
import { valueChecks } from "./value-checks.ts"

/** Keywords that Ajv gets wrong in some schemas. */
const KEYWORDS = ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef"]
/** Keywords beside a draft-07 reference that do not constrain a value. */
const SILENT = new Set([
  "$ref",
  "$schema",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "definitions",
  "$defs",
])

/** Keywords for the first items of an array, in 2020-12 and in draft-07. */
const FIRST_ITEMS = ["prefixItems", "items"]

/**
 * Returns whether a document uses something that Ajv gets wrong: unevaluated properties or items; dynamic references;
 * embedded resources; the name `__proto__`; `contains` beside schemas of the first items, where an empty array passes
 * if Ajv stops at the first error; and in draft-07, keywords beside a reference.
 * @throws `RangeError` if the document is nested too deeply
 */
export function needsComplete(document: JsonSchema, dialect: Dialect): boolean {
  let isNeeded = JSON.stringify(document).includes("__proto__")
  let isRoot = true
  mapSchema(document, (schema) => {
    isNeeded ||= isBeyondAjv(schema, dialect) || (!isRoot && "$id" in schema)
    isRoot = false
    return schema
  })
  return isNeeded
}

function isBeyondAjv(schema: JsonSchema, dialect: Dialect): boolean {
  if ("contains" in schema && FIRST_ITEMS.some((key) => Array.isArray(schema[key]))) return true
  if (dialect === "2020-12") return KEYWORDS.some((key) => key in schema)
  return "$ref" in schema && Object.keys(schema).some((key) => !SILENT.has(key))
}

interface CompleteOptions {
  readonly dialect: Dialect
  /** Returns a built-in schema by its address. */
  readonly findKnown: (address: string) => JsonSchema | undefined
}

/** Base address for the references of a schema without an address. It can't be fetched. */
const BASE = "assay://row/schema"

/**
 * Compiles a schema with every keyword of its dialect, including dynamic references, embedded resources, and
 * unevaluated properties and items, which Ajv gets wrong. It is slower than Ajv's generated code.
 * @throws `Error` with `missingRef` for a reference to nothing
 */
export function compileComplete({ schema, definitions }: LinkedSchema, options: CompleteOptions): CompiledSchema {
  const { dialect, findKnown } = options
  const resources = createResources(dialect, findKnown)
  for (const [name, definition] of definitions) resources.add(definitionId(name), definition)
  const root = resources.add(BASE, schema)
  const compiler: Compiler = {
    dialect,
    resources,
    nodes: new Map(),
    dynamicNames: new Set(),
    makers: [valueChecks, objectChecks, arrayChecks(dialect), logicChecks],
  }
  const node = compile(compiler, schema, root)
  compileDynamic(compiler)
  return {
    isValid: (value) => evaluate(node, value, { path: "", scope: undefined, errors: null }),
    errorsOf(value) {
      const errors: SchemaError[] = []
      evaluate(node, value, { path: "", scope: undefined, errors })
      return errors
    },
  }
}

/** Everything that is known while a schema is compiled. */
interface Compiler {
  readonly dialect: Dialect
  readonly resources: ReturnType<typeof createResources>
  readonly nodes: Map<JsonSchema, Node>
  /** The names of dynamic references. */
  readonly dynamicNames: Set<string>
  /** Make the checks of keywords that need no references. */
  readonly makers: readonly ReturnType<typeof arrayChecks>[]
}

function compile(compiler: Compiler, part: unknown, around: Resource): Node {
  if (!isJsonObject(part)) return { resource: around, checks: part === false ? [nothing] : [] }
  const known = compiler.nodes.get(part)
  if (known !== undefined) return known
  const resource = compiler.resources.of(part) ?? around
  const checks: Check[] = []
  const node = { resource, checks }
  // Register the node before its parts, which may refer back to it.
  compiler.nodes.set(part, node)
  checks.push(...checksOf(compiler, part, resource).filter((check) => check !== undefined))
  return node
}

function checksOf(compiler: Compiler, part: JsonSchema, resource: Resource): readonly (Check | undefined)[] {
  const { dialect, makers } = compiler
  const within = (one: unknown) => compile(compiler, one, resource)
  const reference = refCheck(compiler, part["$ref"], resource)
  if (dialect === "draft-07") {
    if (reference !== undefined) return [reference]
    return makers.flatMap((make) => make(part, within))
  }
  return [
    reference,
    dynamicRefCheck(compiler, part["$dynamicRef"], resource),
    ...makers.flatMap((make) => make(part, within)),
    unevaluatedPropertiesCheck(part["unevaluatedProperties"], within),
    unevaluatedItemsCheck(part["unevaluatedItems"], within),
  ]
}

function targetOf({ resources }: Compiler, ref: string, resource: Resource): Target {
  const target = resources.resolve(ref, resource)
  if (target !== undefined) return target
  throw Object.assign(new Error(`can't resolve reference ${ref}`), { missingRef: ref })
}

function refCheck(compiler: Compiler, ref: unknown, resource: Resource): Check | undefined {
  if (typeof ref !== "string") return undefined
  const target = targetOf(compiler, ref, resource)
  const node = compile(compiler, target.schema, target.resource)
  return (value, run, seen) => evaluateInto(node, value, run, seen)
}

function dynamicRefCheck(compiler: Compiler, ref: unknown, resource: Resource): Check | undefined {
  if (typeof ref !== "string") return undefined
  const target = targetOf(compiler, ref, resource)
  const { dynamicName } = target
  const initial = compile(compiler, target.schema, target.resource)
  if (dynamicName !== undefined) compiler.dynamicNames.add(dynamicName)
  if (dynamicName === undefined) return (value, run, seen) => evaluateInto(initial, value, run, seen)
  return (value, run, seen) => {
    const outermost = outermostWith(dynamicName, run.scope)
    const found = outermost?.dynamicAnchors.get(dynamicName)
    const node = outermost === undefined || found === undefined ? initial : compile(compiler, found, outermost)
    return evaluateInto(node, value, run, seen)
  }
}

/**
 * Compiles all possible targets of dynamic references, so that their faults are reported now and not with the first
 * value.
 */
function compileDynamic(compiler: Compiler): void {
  const { nodes, resources, dynamicNames } = compiler
  for (let count = -1; count !== nodes.size;) {
    count = nodes.size
    for (const resource of resources.all()) {
      for (const name of dynamicNames) {
        const part = resource.dynamicAnchors.get(name)
        if (part !== undefined) compile(compiler, part, resource)
      }
    }
  }
}

const nothing: Check = (value, run) =>
  fail(run, { keyword: "false schema", params: {}, message: "boolean schema is false", data: value })

/** Returns the outermost resource in scope that has a dynamic anchor of this name. */
function outermostWith(name: string, scope: Scope | undefined): Resource | undefined {
  let found: Resource | undefined
  for (let at = scope; at !== undefined; at = at.outer) if (at.resource.dynamicAnchors.has(name)) found = at.resource
  return found
}
