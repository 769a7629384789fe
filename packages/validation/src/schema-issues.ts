import type { ErrorObject } from "ajv"
import { type ValidationIssue, maskUrlUsers, misspeltName } from "@assay/schemas"
import { describeRange } from "@assay/json"
import { describeForms } from "./describe-forms.ts"

/** Issue types for keywords of JSON Schema, in the words that clients of the platform know. */
const RULES: Readonly<Record<string, string>> = {
  required: "missing",
  additionalProperties: "extra_forbidden",
  enum: "enum",
  const: "literal_error",
  pattern: "string_pattern_mismatch",
  minLength: "string_too_short",
  maxLength: "string_too_long",
  minimum: "greater_than_equal",
  maximum: "less_than_equal",
  exclusiveMinimum: "greater_than",
  exclusiveMaximum: "less_than",
  minItems: "too_short",
  maxItems: "too_long",
  maxProperties: "too_long",
  discriminator: "union_tag_invalid",
  format: "value_error",
  anyOf: "union_error",
  oneOf: "union_error",
}

const RANGE_KEYWORDS: ReadonlySet<string> = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])

function isNumeric(type: unknown): boolean {
  return type === "integer" || type === "number"
}

function ruleOf({ keyword, params }: ErrorObject): string {
  if (keyword !== "type") return RULES[keyword] ?? keyword
  const type = String(params["type"]).split(",")[0] ?? "value"
  return (
    { integer: "int_type", number: "float_type", boolean: "bool_type", object: "dict_type", array: "list_type" }[
      type
    ] ?? `${type}_type`
  )
}

function describeBrokenRule({ keyword, params, parentSchema, message = "is not valid" }: ErrorObject): string {
  if (keyword === "required") return "Field required"
  if (keyword === "additionalProperties") return unknownField(String(params["additionalProperty"]), parentSchema)
  if (keyword === "enum")
    return `Must be one of: ${(params["allowedValues"] as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`
  if (keyword === "anyOf" || keyword === "oneOf") return `Must be ${describeForms(parentSchema?.[keyword])}`
  if (keyword === "const") return `Must be ${JSON.stringify(params["allowedValue"])}`
  if (keyword === "discriminator")
    return `'${String(params["tag"])}' must name one of the storage types local, catalog, hub, objstore`
  if (RANGE_KEYWORDS.has(keyword)) return `Must be ${describeRange(parentSchema ?? {})}`
  if (keyword === "type" && isNumeric(params["type"])) return `Must be ${describeRange(parentSchema ?? {})}`
  if (keyword === "type") return `Must be ${String(params["type"]).replaceAll(",", " or ")}`
  return message.charAt(0).toUpperCase() + message.slice(1)
}

function unescapePointer(segment: string): string | number {
  const text = segment.replaceAll("~1", "/").replaceAll("~0", "~")
  return /^\d+$/.test(text) ? Number(text) : text
}

function pathOf({ instancePath, keyword, params }: ErrorObject): (string | number)[] {
  const path = instancePath.split("/").slice(1).map(unescapePointer)
  if (keyword === "required") path.push(String(params["missingProperty"]))
  if (keyword === "additionalProperties") path.push(String(params["additionalProperty"]))
  if (keyword === "discriminator") path.push(String(params["tag"]))
  return path
}

function valueOf(error: ErrorObject): unknown {
  if (error.keyword === "additionalProperties") {
    return (error.data as Record<string, unknown>)[String(error.params["additionalProperty"])]
  }
  return error.keyword === "discriminator" ? error.params["tagValue"] : error.data
}

const BRANCH = /^(.*\/(?:anyOf|oneOf))\/(\d+)(\/.*)$/

/**
 * Keeps of a failed union only the errors of the branch whose type the value has. If no branch or several branches have that
 * type, keeps only the union's own error.
 */
function chooseBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branches = new Map<string, Map<string, ErrorObject[]>>()
  for (const error of errors) {
    const [, union, branch] = BRANCH.exec(error.schemaPath) ?? []
    if (union === undefined || branch === undefined) continue
    const byBranch = branches.get(union) ?? new Map<string, ErrorObject[]>()
    const ofBranch = byBranch.get(branch) ?? []
    ofBranch.push(error)
    branches.set(union, byBranch.set(branch, ofBranch))
  }
  const dropped = new Set<ErrorObject>()
  for (const [union, byBranch] of branches) {
    const own = errors.find(({ schemaPath }) => schemaPath === union)
    if (own === undefined) continue
    const fitting = [...byBranch.values()].filter(
      (branch) => !branch.some(({ keyword, instancePath }) => keyword === "type" && instancePath === own.instancePath),
    )
    const chosen = fitting.length === 1 ? fitting[0] : undefined
    for (const error of [...byBranch.values()].flat()) if (chosen?.includes(error) !== true) dropped.add(error)
    if (chosen !== undefined) dropped.add(own)
  }
  return errors.filter((error) => !dropped.has(error))
}

/** Converts Ajv's errors (made with `verbose`) to issues with locations that start at `root`. */
export function schemaIssues(errors: readonly ErrorObject[], root: "body" | "query" | "path"): ValidationIssue[] {
  return chooseBranches(errors).map((error) => {
    const { keyword, params } = error
    const path = pathOf(error)
    const value = keyword === "required" ? undefined : valueOf(error)
    const writeOnly = (error.parentSchema as { writeOnly?: boolean } | undefined)?.writeOnly === true
    return {
      loc: [root, ...path],
      msg: describeBrokenRule(error),
      type: ruleOf(error),
      // Masked under every key: a misspelt key can hold a URL too.
      ...(value === undefined || writeOnly ? {} : { input: maskUrlUsers(value, "url") }),
      ...(keyword === "required" || keyword === "additionalProperties" ? {} : { ctx: { ...params } }),
    }
  })
}

/** Maximum number of fields that a message lists. */
const MAX_LISTED = 12

/** Describes a field that the object schema `schema` does not have: suggests the field that was probably meant, or lists the fields. */
function unknownField(key: string, schema: unknown): string {
  const fields = propertiesOf(schema)
  const names = Object.keys(fields)
  const about = `Unknown field '${key}'`
  const meant = misspeltName(key, names)
  if (meant !== undefined) return `${about}; did you mean '${meant}'?`
  const holder = names.find((name) => Object.hasOwn(propertiesOf(fields[name]), key))
  if (holder !== undefined) return `${about}; did you mean '${holder}.${key}'?`
  if (names.length === 0 || names.length > MAX_LISTED) return `${about}; it is not allowed here`
  return `${about}; the fields here are '${names.join("', '")}'`
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> }
  return properties
}
