import { Type, type TObject, type TSchema } from "@sinclair/typebox"
import { Errors, type ValueError } from "@sinclair/typebox/errors"
import { isObject } from "@assay/json"
import type { LocatedDocument } from "@assay/validation"
import {
  AssayError,
  isAssayError,
  isLocalPath,
  defineEnumerations,
  checkNoUrlUsers,
  printable,
  CONFIG_TYPES,
  EvaluationConfigBody,
  type LaunchBody,
  JobGate,
  EvaluationTargetBody,
  TARGET_TYPES,
} from "@assay/schemas"
import { describeNumber } from "./describe-number.ts"
import { findMisspeltKey } from "./misspelt-key.ts"
import { narrowSchema } from "./narrow-schema.ts"
import { SHARED_KEYS } from "./short/short-evaluation.ts"

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
  /** Limits such as `task.metric.score >= 0.8`, in addition to those of the command line. Those that are objects are in `config.params`. */
  readonly gates?: readonly string[]
}

/** Further gates are a fault. */
const MAX_GATES = 50
const NAME = Type.String({ minLength: 1 })

/** Reads a document in the long form. @throws `bad_document` with the location of the first fault */
export function readEvaluationContent({ value, locationOf }: LocatedDocument): EvaluationContent {
  if (!isObject(value)) {
    throw new AssayError(
      "bad_document",
      `${locationOf("")}: An evaluation file is an object with 'target' and 'config'.`,
    )
  }
  checkTool(value, locationOf)
  checkAddresses(value, locationOf)
  const schema = schemaOf(value)
  checkKeys(value, schema, locationOf)
  const fault = firstFault(schema, value)
  if (fault !== undefined) {
    const field = printable(fault.path.slice(1).replaceAll("/", "."))
    throw new AssayError("bad_document", `${locationOf(fault.path)}: '${field}': ${faultText(fault)}.`)
  }
  return withJobGates(value as unknown as GivenContent, locationOf)
}

/** Files of other tools, by keys that none of ours has. */
const TOOLS = [
  { name: "configuration of promptfoo", command: "promptfoo", keys: [["prompts"], ["providers", "targets", "tests"]] },
  {
    name: "task of lm-evaluation-harness",
    command: "lm-eval",
    keys: [
      ["doc_to_text", "doc_to_target"],
      ["task", "include"],
    ],
  },
] as const

/** @throws `bad_document` with the command that imports the file of another tool */
export function checkTool(value: object, locationOf: LocatedDocument["locationOf"]): void {
  if ("target" in value || "config" in value) return
  const tool = TOOLS.find(({ keys }) => keys.every((names) => names.some((name) => name in value)))
  if (tool === undefined) return
  const location = locationOf("")
  const file = location.replace(/:\d+:\d+$/, "")
  const command = ["assay", "import", tool.command, file]
  const message = `This is a ${tool.name}, not an evaluation file; \`${command.join(" ")}\` writes one of it.`
  const remedy = "Import it, then run the file that this writes:"
  throw new AssayError("bad_document", `${location}: ${message}`, { context: { remedy, command } })
}

interface GivenContent extends Omit<EvaluationContent, "gates"> {
  readonly gates?: readonly (string | JobGate)[]
}

/** Moves gates that are objects into the configuration, whose job compares them itself. @throws `bad_document` if a server stores the configuration */
function withJobGates(
  { gates, ...content }: GivenContent,
  locationOf: LocatedDocument["locationOf"],
): EvaluationContent {
  if (gates === undefined) return content
  const ofJob = gates.filter((gate) => typeof gate === "object")
  const limits = gates.filter((gate) => typeof gate === "string")
  if (ofJob.length === 0) return { ...content, gates: limits }
  const { config } = content
  if (typeof config === "string") {
    const message =
      "'gates': a gate that is an object belongs to a configuration, and this one is only named; write it into the stored configuration, as params.gates."
    throw new AssayError("bad_document", `${locationOf("/gates")}: ${message}`)
  }
  const params = { ...config.params, gates: [...(config.params?.gates ?? []), ...ofJob] }
  return { ...content, config: { ...config, params }, gates: limits }
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
    ...(output === undefined || isLocalPath(output) ? {} : { output_files_url: output }),
  }
}

/** Runs before all other checks, because their messages could show a password. @throws `bad_document` if a URL has a user name or a password */
export function checkAddresses(value: object, locationOf: LocatedDocument["locationOf"]): void {
  try {
    checkNoUrlUsers(value, [])
  } catch (error) {
    if (!isAssayError(error)) throw error
    const [issue] = error.issues
    const loc = issue?.loc ?? []
    throw new AssayError("bad_document", `${locationOf(`/${loc.join("/")}`)}: '${loc.join(".")}': ${issue?.msg}.`)
  }
}

/** Runs before the schema, which would only say that the key that is meant is missing. @throws `bad_document` for a misspelt key */
function checkKeys(value: object, schema: TSchema, locationOf: LocatedDocument["locationOf"]): void {
  const found = findMisspeltKey(value, schema)
  if (found === undefined) return
  const { path, meant } = found
  const pointer = path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
  const message = `'${printable(path.join("."))}': there is no such field; did you mean '${meant}'?`
  throw new AssayError("bad_document", `${locationOf(pointer)}: ${message}`)
}

/** Returns the schema of a body whose `type` is a union of literals, so that the message lists them. */
function withTypes(body: TObject, types: readonly string[]): TObject {
  const type = Type.Union(types.map((one) => Type.Literal(one)))
  return Type.Object({ ...body.properties, type }, { additionalProperties: true })
}

/** An evaluation file in the long form. */
export const LongEvaluation = Type.Object(
  {
    target: Type.Union([NAME, withTypes(EvaluationTargetBody, TARGET_TYPES)], {
      description:
        "What is evaluated: a model, existing outputs or rows; or `workspace/name` of a target that a server stores.",
    }),
    config: Type.Union([NAME, withTypes(EvaluationConfigBody, CONFIG_TYPES)], {
      description: "How it is asked and scored; or `workspace/name` of a configuration that a server stores.",
    }),
    gates: Type.Optional(
      Type.Array(Type.Union([NAME, JobGate]), {
        description:
          "Limits that decide the exit code: `task.metric.score >= number`, also with ` on these rows` at the end, or objects.",
        examples: [["qa.right.em_score >= 0.8"]],
      }),
    ),
    output: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Where results go: a folder relative to this file, or a fileset of the server.",
        examples: ["./results"],
      }),
    ),
    ...SHARED_KEYS,
  },
  { $id: "LongEvaluation", additionalProperties: false },
)

/** Returns the schema for this value. It has no unions, because a fault in a union only says that no member fits. */
function schemaOf(value: object): TSchema {
  const given = value as Readonly<Record<string, unknown>>
  const memberOf = (key: "target" | "config") => {
    const [name, body] = LongEvaluation.properties[key].anyOf
    return typeof given[key] === "string" ? name : body
  }
  const properties = {
    ...LongEvaluation.properties,
    target: memberOf("target"),
    config: memberOf("config"),
    gates: Type.Optional(gatesOf(given)),
  }
  return Type.Object(properties, { additionalProperties: false })
}

/** Returns the schema of gates: texts, and objects. */
function gatesOf({ gates }: { readonly gates?: unknown }): TSchema {
  if (!Array.isArray(gates)) return Type.Array(NAME)
  return Type.Tuple(gates.slice(0, MAX_GATES).map((gate) => (typeof gate === "object" ? JobGate : NAME)))
}

function faultText({ path, message, schema, value }: Fault): string {
  if (message === "Unexpected property") {
    const isOfFile = path.lastIndexOf("/") === 0
    if (!isOfFile) return "there is no such field"
    return "there is no such field; the fields are target, config, namespace, description, project, custom_fields, output and gates"
  }
  if (value === undefined) return "it is missing"
  const choices = choicesOf(schema)
  const rule = describeNumber(schema) ?? message.charAt(0).toLowerCase() + message.slice(1)
  const text = choices === undefined ? rule : `expected one of ${choices}`
  return `${text}, not ${printable(JSON.stringify(value)).slice(0, 60)}`
}

/** Returns the first fault of a document. Of a union, the fault of its only member with the type of the value says more than that no member fits. */
function firstFault(schema: TSchema, value: unknown): Fault | undefined {
  defineEnumerations()
  const fault = Errors(schema, value).First()
  return fault && (Errors(narrowSchema(schema, value), value).First() ?? fault)
}

type Fault = Pick<ValueError, "path" | "message" | "schema" | "value">

function choicesOf({ anyOf }: TSchema): string | undefined {
  const literals: unknown[] = Array.isArray(anyOf) ? anyOf.map((one: TSchema): unknown => one["const"]) : []
  return literals.length > 0 && literals.every((one) => typeof one === "string") ? literals.join(", ") : undefined
}
