import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { Type, type TObject, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import {
  AnyName,
  checkNoUrlUsers,
  CONFIG_TYPES,
  EvaluationConfigBody,
  EvaluationTargetBody,
  TARGET_TYPES,
} from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { printable } from "../../../output/printable.ts"
import { localFailure } from "@assay/storage/paths"
import type { EvaluationFile, OpenedEvaluationFile } from "./evaluation-file.ts"
import { checkPlaces } from "./check-places.ts"
import { parseYaml } from "../../parse-yaml.ts"

const NAME = Type.String({ minLength: 1 })

/** Reads YAML or JSON, `-` from stdin. @throws `bad_usage` with line and column, `not_found` */
export async function readEvaluationFile(context: Context, name: string): Promise<OpenedEvaluationFile> {
  const { cwd, stdin } = context
  const path = name === "-" ? undefined : resolve(cwd, name)
  const shown = path === undefined ? "stdin" : printable(name)
  const { value, placeOf } = parseYaml(path === undefined ? await text(stdin) : await readText(path), shown)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AssayError("bad_usage", `${placeOf("")}: An evaluation is an object with 'target' and 'config'.`)
  }
  checkAddresses(value, placeOf)
  const [fault] = Value.Errors(schemaOf(value), value)
  if (fault !== undefined) {
    const field = printable(fault.path.slice(1).replaceAll("/", "."))
    throw new AssayError("bad_usage", `${placeOf(fault.path)}: '${field}': ${faultText(fault)}.`)
  }
  const folder = path === undefined ? cwd : dirname(path)
  const opened = { name: shown, folder, path, content: value as EvaluationFile }
  checkPlaces(opened)
  return opened
}

/** Before anything else, whose message could show one. @throws `bad_usage` for an address with a user name or a password */
function checkAddresses(value: object, placeOf: (path: string) => string): void {
  try {
    checkNoUrlUsers(value, [])
  } catch (error) {
    if (!isAssayError(error)) throw error
    const [issue] = error.issues
    const loc = issue?.loc ?? []
    throw new AssayError("bad_usage", `${placeOf(`/${loc.join("/")}`)}: '${loc.join(".")}': ${issue?.msg}.`)
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}

/** What the value has to be: a union would only say that no side of it fits. */
function schemaOf(value: object): TSchema {
  const isName = (key: string) => key in value && typeof (value as Record<string, unknown>)[key] === "string"
  const properties = {
    namespace: Type.Optional(NAME),
    target: isName("target") ? NAME : withTypes(EvaluationTargetBody, TARGET_TYPES),
    config: isName("config") ? NAME : withTypes(EvaluationConfigBody, CONFIG_TYPES),
    description: Type.Optional(Type.String()),
    project: Type.Optional(Type.String()),
    custom_fields: Type.Optional(Type.Record(AnyName, Type.Unknown())),
    output: Type.Optional(NAME),
    gates: Type.Optional(Type.Array(NAME)),
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** Told by name, in place of an enumeration that knows its values as JSON Schema alone. */
function withTypes(body: TObject, types: readonly string[]): TSchema {
  const type = Type.Union(types.map((one) => Type.Literal(one)))
  return Type.Object({ ...body.properties, type }, { additionalProperties: true })
}

function faultText({ message, schema, value }: { message: string; schema: TSchema; value: unknown }): string {
  if (message === "Unexpected property") {
    return "there is no such field; there are target, config, namespace, description, project, custom_fields, output and gates"
  }
  if (value === undefined) return "it is missing"
  const choices = choicesOf(schema)
  const text = choices === undefined ? message.charAt(0).toLowerCase() + message.slice(1) : `expected one of ${choices}`
  return `${text}, not ${printable(JSON.stringify(value)).slice(0, 60)}`
}

function choicesOf({ anyOf }: TSchema): string | undefined {
  const literals: unknown[] = Array.isArray(anyOf) ? anyOf.map((one: TSchema): unknown => one["const"]) : []
  return literals.length > 0 && literals.every((one) => typeof one === "string") ? literals.join(", ") : undefined
}
