import { Type, type TObject, type TSchema } from "@sinclair/typebox"
import { Errors } from "@sinclair/typebox/errors"
import type { PlacedDocument } from "../documents/placed-document.ts"
import { AssayError, isAssayError } from "../errors/assay-error.ts"
import { AnyName } from "../records/field-types.ts"
import { isLocalPlace } from "../bodies/local-place.ts"
import { checkNoUrlUsers } from "../requests/url-user.ts"
import { printable } from "../text/printable.ts"
import { CONFIG_TYPES, EvaluationConfigBody } from "./evaluation-config.ts"
import type { LaunchBody } from "./evaluation-job.ts"
import { EvaluationTargetBody, TARGET_TYPES } from "./evaluation-target.ts"

/** The content of an evaluation file: a launch, and what is done with its results. */
export interface EvaluationContent {
  readonly namespace?: string
  /** A target, or `workspace/name` of a target that a server stores. */
  readonly target: string | EvaluationTargetBody
  /** A configuration, or `workspace/name` of a configuration that a server stores. */
  readonly config: string | EvaluationConfigBody
  readonly description?: string
  readonly project?: string
  readonly custom_fields?: Record<string, unknown>
  /** A folder of this machine, relative to the file, or an `output_files_url` of the server. */
  readonly output?: string
  /** Limits such as `task.metric.score >= 0.8`, in addition to those of the command line. */
  readonly gates?: readonly string[]
}

const NAME = Type.String({ minLength: 1 })

/** Reads the document of an evaluation file. @throws `bad_usage` with the place of the first fault */
export function readEvaluationContent({ value, placeOf }: PlacedDocument): EvaluationContent {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AssayError("bad_usage", `${placeOf("")}: An evaluation file is an object with 'target' and 'config'.`)
  }
  checkAddresses(value, placeOf)
  const fault = Errors(schemaOf(value), value).First()
  if (fault !== undefined) {
    const field = printable(fault.path.slice(1).replaceAll("/", "."))
    throw new AssayError("bad_usage", `${placeOf(fault.path)}: '${field}': ${faultText(fault)}.`)
  }
  return value as EvaluationContent
}

/** Returns the launch of a file. Gates, and a folder for the results, are used by the command line alone. */
export function launchOfContent(
  { gates: _gates, output, ...content }: EvaluationContent,
  defaultWorkspace: string,
): LaunchBody & { readonly namespace: string } {
  const { namespace = defaultWorkspace } = content
  return {
    ...content,
    namespace,
    ...(output === undefined || isLocalPlace(output) ? {} : { output_files_url: output }),
  }
}

/** Runs before all other checks, because their messages could show a password. @throws `bad_usage` if a URL has a user name or a password */
function checkAddresses(value: object, placeOf: PlacedDocument["placeOf"]): void {
  try {
    checkNoUrlUsers(value, [])
  } catch (error) {
    if (!isAssayError(error)) throw error
    const [issue] = error.issues
    const loc = issue?.loc ?? []
    throw new AssayError("bad_usage", `${placeOf(`/${loc.join("/")}`)}: '${loc.join(".")}': ${issue?.msg}.`)
  }
}

/** Returns the schema for this value. It has no unions, because a fault in a union only says that no member fits. */
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

/** Returns the schema of a body whose `type` is a union of literals, so that the message lists them. */
function withTypes(body: TObject, types: readonly string[]): TSchema {
  const type = Type.Union(types.map((one) => Type.Literal(one)))
  return Type.Object({ ...body.properties, type }, { additionalProperties: true })
}

function faultText({ message, schema, value }: { message: string; schema: TSchema; value: unknown }): string {
  if (message === "Unexpected property") {
    return "there is no such field; the fields are target, config, namespace, description, project, custom_fields, output and gates"
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
