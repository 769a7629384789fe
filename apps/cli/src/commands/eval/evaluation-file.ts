import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { rowFormatOf } from "@assay/contents"
import { applyOverrides, isLocalPlace, mapDatasets, type JobOverrides, type LaunchSubject } from "@assay/evaluation"
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
import { localFailure } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../open-client.ts"
import { printable } from "@assay/schemas/printable"
import { parseYaml } from "@assay/contents/documents"

/** The file that `assay eval run` and `assay eval launch` read: a launch, and what the command line does with its results. */
export interface EvaluationFile {
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

/** An evaluation file with its place. */
export interface OpenedEvaluationFile {
  /** The file as the command line names it. */
  readonly name: string
  /** Absolute path of the folder that paths in the file are relative to. For stdin: the working folder. */
  readonly folder: string
  /** Absolute path. Undefined for stdin. */
  readonly path: string | undefined
  readonly content: EvaluationFile
}

/** Returns the job of a file with the overrides applied. @throws `bad_usage` if the file names something that only a server has */
export function jobOf(
  context: Pick<Context, "env">,
  { name, content }: OpenedEvaluationFile,
  overrides: JobOverrides,
): LaunchSubject {
  const { target, config, namespace = defaultWorkspace(context) } = content
  if (typeof target === "string") throw onlyOnServer(name, "target", target)
  if (typeof config === "string") throw onlyOnServer(name, "config", config)
  return { namespace, target, config: applyOverrides(config, overrides) }
}

function onlyOnServer(file: string, field: string, name: string): AssayError {
  const message = `${file} names the ${field} '${printable(name)}', which only a server has: give --server (or set ASSAY_URL), or write the ${field} into the file.`
  return new AssayError("bad_usage", message)
}

const NAME = Type.String({ minLength: 1 })

/** Reads an evaluation file in YAML or JSON; `-` means stdin. @throws `bad_usage` with line and column, `not_found` */
export async function readEvaluationFile(context: Context, name: string): Promise<OpenedEvaluationFile> {
  const { cwd, stdin } = context
  const path = name === "-" ? undefined : resolve(cwd, name)
  const shown = path === undefined ? "stdin" : printable(name)
  const { value, placeOf } = parseYaml(path === undefined ? await text(stdin) : await readText(path), shown)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AssayError("bad_usage", `${placeOf("")}: An evaluation file is an object with 'target' and 'config'.`)
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

/** Runs before all other checks, because their messages could show a password. @throws `bad_usage` if a URL has a user name or a password */
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

/** Finds row files beside the evaluation file that are written like a fileset: `rows.csv` for `./rows.csv`. @throws `bad_usage` */
function checkPlaces({ name, folder, content }: OpenedEvaluationFile): void {
  const { target, config } = content
  mapDatasets({ target, config }, (filesUrl) => {
    const isFile = !isLocalPlace(filesUrl) && !/[:#]/.test(filesUrl) && rowFormatOf(filesUrl) !== undefined
    if (!isFile || !existsSync(resolve(folder, filesUrl))) return filesUrl
    const place = printable(filesUrl)
    throw new AssayError(
      "bad_usage",
      `${name} names the rows '${place}', which means a fileset: write './${place}' for the file beside it.`,
    )
  })
}
