import type { TSchema } from "@sinclair/typebox"
import { Errors, type ValueError } from "@sinclair/typebox/errors"
import { isJsonObject } from "@assay/json"
import type { LocatedDocument } from "../../documents/located-document.ts"
import { AssayError } from "../../errors/assay-error.ts"
import { nearestNames } from "../../text/nearest-names.ts"
import { printable } from "../../text/printable.ts"
import { narrowSchema } from "./narrow-schema.ts"

/** Makes the error of a value in a document, with file, line, column and the path of the value. */
export function faultAt({ locationOf }: Pick<LocatedDocument, "locationOf">, pointer: string, why: string): AssayError {
  const path = printable(pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~"))
  return new AssayError("bad_document", `${locationOf(pointer)}: ${path === "" ? "" : `'${path}': `}${why}`)
}

/** Appends a key to a JSON pointer. */
export function pointerTo(above: string, key: string | number): string {
  return `${above}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`
}

/** Returns a sentence with the name that was probably meant, and with all names that are allowed. */
export function namesHint(given: string, names: readonly string[], what: string): string {
  const near = nearestNames(given, names)
  const meant = near.length === 0 ? "" : `did you mean '${near.join("' or '")}'? `
  return `${meant}${meant === "" ? what : what.charAt(0).toUpperCase() + what.slice(1)} ${names.join(", ")}.`
}

export interface DocumentSchema {
  readonly schema: TSchema
  /** Keys of the whole document that are suggested, although the schema does not have them. */
  readonly alsoKnown: readonly string[]
}

/**
 * Checks a document against a schema with unions and closed objects. The first unknown key is named before any other fault, with the one that was
 * probably meant.
 * @throws `bad_document` with file, line, column, what is wrong, and what is allowed there
 */
export function checkDocument(document: LocatedDocument, { schema, alsoKnown }: DocumentSchema): void {
  const narrowed = narrowSchema(schema, document.value)
  checkKeys(document, { value: document.value, schema: narrowed, pointer: "" }, alsoKnown)
  const fault = Errors(narrowed, document.value).First()
  if (fault !== undefined) throw faultAt(document, fault.path, faultText(fault))
}

interface Part {
  readonly value: unknown
  readonly schema: TSchema
  readonly pointer: string
}

function checkKeys(document: LocatedDocument, { value, schema, pointer }: Part, alsoKnown: readonly string[]): void {
  if (Array.isArray(value)) {
    const items: readonly TSchema[] = Array.isArray(schema["items"]) ? schema["items"] : []
    for (const [at, inner] of items.entries()) {
      checkKeys(document, { value: value[at], schema: inner, pointer: pointerTo(pointer, at) }, [])
    }
    return
  }
  const properties: Readonly<Record<string, TSchema>> | undefined = schema["properties"]
  if (!isJsonObject(value) || properties === undefined) return
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    const at = pointerTo(pointer, key)
    if (known !== undefined) {
      checkKeys(document, { value: inner, schema: known, pointer: at }, [])
    } else if (schema["additionalProperties"] === false) {
      const names = [...Object.keys(properties), ...alsoKnown]
      throw faultAt(document, at, `there is no such key here; ${namesHint(key, names, "the keys here are")}`)
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
  const members: readonly TSchema[] | undefined = schema["anyOf"]
  const isOpaque = members !== undefined || schema["pattern"] !== undefined
  const rule = plainRule(message)
  const what = members === undefined ? (isOpaque ? "" : `${rule}, not `) : `expected ${typesOf(members)}, not `
  return isOpaque && members === undefined
    ? `${given} does not fit.${about}${shown}`
    : `${what}${given}.${about}${shown}`
}

/** Returns what a schema expects, in words. */
function plainRule(message: string): string {
  return (message.charAt(0).toLowerCase() + message.slice(1))
    .replace(/^expected (array|object|string|boolean)\b/, (_all, type: string) => `expected ${WORDS[type]}`)
    .replace(/^expected tuple to have (\d+) elements$/, "expected a list of $1")
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  boolean: "true or false",
}

function typesOf(members: readonly TSchema[]): string {
  const types = [...new Set(members.map(({ type }) => WORDS[String(type)] ?? "a number"))]
  return types.length < 2 ? types.join("") : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`
}
