import { dialectOf, type Dialect } from "../compile/dialect.ts"
import { isJsonObject, unescapePointerToken, type JsonSchema } from "../json-schema.ts"

/** A schema with its own address, and the names that are defined in it. */
export interface Resource {
  readonly address: string
  readonly root: JsonSchema | boolean
  readonly anchors: Map<string, JsonSchema>
  readonly dynamicAnchors: Map<string, JsonSchema>
}

/** The target of a reference. */
export interface Target {
  readonly schema: unknown
  readonly resource: Resource
  /** The name of the reference, if it refers to a `$dynamicAnchor`. */
  readonly dynamicName: string | undefined
}

interface Resources {
  /** Adds a document, with every resource and anchor in it. */
  readonly add: (address: string, root: JsonSchema) => Resource
  /** Returns the resource that contains a schema. Undefined if no keyword that holds schemas leads to it. */
  readonly of: (schema: JsonSchema) => Resource | undefined
  readonly all: () => Iterable<Resource>
  /** Follows a reference. Returns undefined if it refers to nothing. */
  readonly resolve: (ref: string, from: Resource) => Target | undefined
}

/**
 * Creates a registry of schemas by address. `findKnown` returns built-in schemas, such as those of the dialects.
 * Nothing is fetched.
 */
export function createResources(dialect: Dialect, findKnown: (address: string) => JsonSchema | undefined): Resources {
  const byAddress = new Map<string, Resource>()
  const owners = new Map<JsonSchema, Resource>()

  function open(address: string, root: JsonSchema): Resource {
    const resource: Resource = { address, root, anchors: new Map(), dynamicAnchors: new Map() }
    byAddress.set(address, resource)
    return resource
  }

  function walk(schema: JsonSchema, around: Resource): void {
    if (owners.has(schema)) return
    const { $id } = schema
    // In draft-07, keywords beside a reference are ignored.
    const isPlainRef = dialect === "draft-07" && typeof schema["$ref"] === "string"
    const id = typeof $id === "string" && !isPlainRef ? $id : undefined
    let resource = around
    if (id !== undefined && dialect === "draft-07" && id.startsWith("#")) around.anchors.set(id.slice(1), schema)
    else if (id !== undefined) {
      const address = addressOf(id, around.address)
      if (address !== around.address) resource = open(address, schema)
    }
    if (resource !== around) checkSame(schema, dialect)
    owners.set(schema, resource)
    if (dialect === "2020-12") addAnchors(resource, schema)
    for (const part of subSchemas(schema, dialect)) walk(part, resource)
  }

  function add(address: string, root: JsonSchema): Resource {
    const resource = open(address, root)
    walk(root, resource)
    const own = owners.get(root) ?? resource
    // A document that declares another address is known under both.
    byAddress.set(address, own)
    return own
  }

  function find(address: string): Resource | undefined {
    const found = byAddress.get(address)
    if (found !== undefined) return found
    const known = findKnown(address)
    return known === undefined ? undefined : add(address, known)
  }

  function resolve(ref: string, from: Resource): Target | undefined {
    const [address = "", ...rest] = absolute(ref, from.address).split("#")
    const resource = address === from.address ? from : find(address)
    const fragment = decoded(rest.join("#"))
    if (resource === undefined || fragment === undefined) return undefined
    if (fragment === "") return { schema: resource.root, resource, dynamicName: undefined }
    if (!fragment.startsWith("/")) return anchorIn(resource, fragment)
    const pointed = followPointer(resource, fragment, owners)
    if (pointed === undefined || !isJsonObject(pointed.schema)) return pointed
    // The schema may be inside an unknown keyword.
    walk(pointed.schema, pointed.resource)
    return { ...pointed, resource: owners.get(pointed.schema) ?? pointed.resource }
  }

  return { add, of: (schema) => owners.get(schema), all: () => byAddress.values(), resolve }
}

function addAnchors(resource: Resource, schema: JsonSchema): void {
  const { $anchor, $dynamicAnchor } = schema
  if (typeof $anchor === "string") resource.anchors.set($anchor, schema)
  if (typeof $dynamicAnchor === "string") {
    resource.anchors.set($dynamicAnchor, schema)
    resource.dynamicAnchors.set($dynamicAnchor, schema)
  }
}

function anchorIn(resource: Resource, name: string): Target | undefined {
  const schema = resource.anchors.get(name)
  const isDynamic = schema !== undefined && resource.dynamicAnchors.get(name) === schema
  return schema === undefined ? undefined : { schema, resource, dynamicName: isDynamic ? name : undefined }
}

/** Follows a JSON pointer. Returns undefined if it refers to nothing. */
function followPointer(
  start: Resource,
  pointer: string,
  owners: ReadonlyMap<JsonSchema, Resource>,
): Target | undefined {
  let schema: unknown = start.root
  let resource = start
  for (const token of pointer.slice(1).split("/")) {
    const key = unescapePointerToken(token)
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key)) return undefined
    schema = (schema as Readonly<Record<string, unknown>>)[key]
    if (isJsonObject(schema)) resource = owners.get(schema) ?? resource
  }
  return { schema, resource, dynamicName: undefined }
}

function checkSame(schema: JsonSchema, dialect: Dialect): void {
  const own = dialectOf(schema) ?? dialect
  if (own !== dialect) throw new Error(`has a part of ${own}, but is itself of ${dialect}; write both in one draft`)
}

function addressOf(id: string, base: string): string {
  return absolute(id, base).replace(/#.*$/s, "")
}

/** Resolves `ref`. An invalid address refers to nothing. */
function absolute(ref: string, base: string): string {
  if (ref.startsWith("#")) return `${base}${ref}`
  try {
    return new URL(ref, base).href
  } catch {
    return ref
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const ONE = ["additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else"]
const LISTS = ["allOf", "anyOf", "oneOf"]
const NAMED = ["properties", "patternProperties", "definitions", "dependencies"]
const OWN = {
  "2020-12": {
    one: ["unevaluatedProperties", "unevaluatedItems", "contentSchema"],
    lists: ["prefixItems"],
    named: ["$defs", "dependentSchemas"],
  },
  "draft-07": { one: ["additionalItems"], lists: ["items"], named: [] },
} as const

/** Returns the schemas directly inside `schema`, at the locations that its dialect defines. */
function subSchemas(schema: JsonSchema, dialect: Dialect): readonly JsonSchema[] {
  const own = OWN[dialect]
  const found = [
    ...[...ONE, ...own.one].map((key) => schema[key]),
    ...[...LISTS, ...own.lists].flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [])),
    ...[...NAMED, ...own.named].flatMap((key) => (isJsonObject(schema[key]) ? Object.values(schema[key]) : [])),
  ]
  return found.filter(isJsonObject)
}
