import type { TSchema } from "@sinclair/typebox"
import { Errors, type ValueError } from "@sinclair/typebox/errors"
import { describeRange, isJsonObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import { AssayError, nearestNames, printable } from "@assay/schemas"
import type { Faults } from "./faults.ts"
import { describeNumber, isNumber } from "./describe-number.ts"
import { meantModel } from "./model-providers.ts"
import { narrowSchema } from "./narrow-schema.ts"
import { ModelName } from "./short/short-model-schema.ts"

/** Makes the error of a value in a document, with file, line, column and the path of the value. */
export function faultAt({ locationOf }: Pick<LocatedDocument, "locationOf">, pointer: string, why: string): AssayError {
  const path = printable(pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~"))
  return new AssayError("bad_document", `${locationOf(pointer)}: ${path === "" ? "" : `'${path}': `}${why}`)
}

/** Appends a key to a JSON pointer. */
export function pointerTo(above: string, key: string | number): string {
  return `${above}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`
}

/** Maximum number of allowed names that are shown beside the one that was probably meant. */
const MAX_BESIDE = 8

/** Returns a sentence with the name that was probably meant, or with all names that are allowed. Few names are shown in both cases. */
export function namesHint(given: string, names: readonly string[], what: string): string {
  const near = nearestNames(given, names)
  if (near.length === 0) return `${what} ${names.join(", ")}.`
  const meant = `did you mean '${near.join("' or '")}'?`
  return names.length > MAX_BESIDE
    ? meant
    : `${meant} ${what.charAt(0).toUpperCase()}${what.slice(1)} ${names.join(", ")}.`
}

export interface DocumentSchema {
  readonly schema: TSchema
  /** Keys of the whole document that are suggested, although the schema does not have them. */
  readonly alsoKnown: readonly string[]
}

/**
 * Checks a document against a schema with unions and closed objects. Each fault has file, line, column, what is wrong, and what is allowed
 * there. Unknown keys are named with the ones that were probably meant, which are then not missing.
 */
export function checkDocument(document: LocatedDocument, { schema, alsoKnown }: DocumentSchema, faults: Faults): void {
  const narrowed = narrowSchema(schema, document.value)
  const meant = new Set<string>()
  checkKeys({ value: document.value, schema: narrowed, pointer: "" }, alsoKnown, (pointer, key, names) => {
    faults.add(
      faultAt(document, pointer, `there is no such key here; ${namesHint(key, names, "the keys here are")}`),
      pointer,
    )
    const above = pointer.slice(0, pointer.lastIndexOf("/"))
    for (const near of nearestNames(key, names)) meant.add(pointerTo(above, near))
  })
  let seen = 0
  for (const fault of Errors(narrowed, document.value)) {
    const { path } = fault
    // A value has several errors, such as each member of a union, of which the first one says most.
    if (++seen > MAX_ERRORS) break
    if (faults.has(path) || hasFaultAbove(path, faults)) continue
    if (fault.value === undefined && meant.has(path)) continue
    faults.add(faultAt(document, path, faultText(fault)), path)
  }
}

/** Maximum number of errors of a document that are looked at. */
const MAX_ERRORS = 1000

function hasFaultAbove(path: string, faults: Faults): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    if (faults.isAt(path.slice(0, at))) return true
  }
  return false
}

/** Receives an unknown key, and the keys that are known beside it. */
type OnUnknown = (pointer: string, key: string, names: readonly string[]) => void

interface Part {
  readonly value: unknown
  readonly schema: TSchema
  readonly pointer: string
}

function checkKeys({ value, schema, pointer }: Part, alsoKnown: readonly string[], onUnknown: OnUnknown): void {
  if (Array.isArray(value)) {
    const items: readonly TSchema[] = Array.isArray(schema["items"]) ? schema["items"] : []
    for (const [at, inner] of items.entries()) {
      checkKeys({ value: value[at], schema: inner, pointer: pointerTo(pointer, at) }, [], onUnknown)
    }
    return
  }
  const properties: Readonly<Record<string, TSchema>> | undefined = schema["properties"]
  if (!isJsonObject(value) || properties === undefined) return
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    const at = pointerTo(pointer, key)
    if (known !== undefined) {
      checkKeys({ value: inner, schema: known, pointer: at }, [], onUnknown)
    } else if (schema["additionalProperties"] === false) {
      onUnknown(at, key, [...Object.keys(properties), ...alsoKnown])
    }
  }
}

function faultText({ message, schema, value }: ValueError): string {
  const { description, examples }: TSchema = schema
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  const about = description === undefined ? "" : ` ${description}`
  const shown =
    example === undefined ? "" : ` Example: ${typeof example === "string" ? example : JSON.stringify(example)}`
  if (value === undefined) return `it is missing.${about}${shown}`
  // An address may have a password, which is never shown.
  const given = printable(JSON.stringify(value) ?? "")
    .replaceAll(/\/\/[^/@\s]*@/g, "//…@")
    .slice(0, 60)
  const number = describeNumber(schema)
  if (number !== undefined) return `${number}, not ${given}.${about}${shown}`
  const members: readonly TSchema[] | undefined = schema["anyOf"]
  const isOpaque = members !== undefined || schema["pattern"] !== undefined
  const rule = plainRule(message)
  const what = members === undefined ? (isOpaque ? "" : `${rule}, not `) : `expected ${typesOf(members)}, not `
  if (typeof value === "string" && schema["pattern"] === ModelName.pattern) {
    return `${given} is not a model with an address. ${meantModel(value)}`
  }
  return isOpaque && members === undefined
    ? `${given} does not fit.${about}${shown}`
    : `${what}${given}.${about}${shown}`
}

/** Returns what a schema expects, in words. */
function plainRule(message: string): string {
  return (message.charAt(0).toLowerCase() + message.slice(1))
    .replace(/^expected (array|object|string|boolean)\b/, (_all, type: string) => `expected ${WORDS[type]}`)
    .replace(/^expected tuple to have (\d+) elements$/, "expected a list of $1")
    .replace(/^expected a list length to be greater or equal to 1$/, "expected a list that is not empty")
    .replace(/^expected a list length to be (greater|less) or equal to (\d+)$/, (_all, side: string, count: string) => {
      return `expected a list of at ${side === "less" ? "most" : "least"} ${count}`
    })
    .replace(/^expected a text length greater or equal to 1$/, "expected a text that is not empty")
    .replace(/^expected a text length (greater|less) or equal to (\d+)$/, (_all, side: string, count: string) => {
      return `expected a text of at ${side === "less" ? "most" : "least"} ${count} characters`
    })
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  boolean: "true or false",
  null: "null",
}

function typesOf(members: readonly TSchema[]): string {
  const types = [
    ...new Set(members.map((one) => (isNumber(one) ? describeRange(one) : (WORDS[String(one["type"])] ?? "a number")))),
  ]
  return types.length < 2 ? types.join("") : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`
}
