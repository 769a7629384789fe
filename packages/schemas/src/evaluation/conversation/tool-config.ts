import { type TProperties, type TSchema, Type } from "@sinclair/typebox"
import { AnyName } from "../../records/field-types.ts"

/** Maximum number of tools, and of answers of a tool. */
export const MAX_TOOLS = 128
const MAX_ANSWERS = 1000
/** Seconds. */
const MAX_DELAY = 60
/** Seconds that one call of a program may take, and the default. */
const MAX_CALL_TIME = 300
const CALL_TIME = 30

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

const ToolAnswer = Type.Object(
  {
    when: optional(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Arguments that a call must have for this answer; others may be beside them. The first answer that fits is used. Default: any call.",
        examples: [{ id: "A1" }],
      }),
    ),
    result: optional(
      Type.Unknown({
        description:
          "What the tool returns: any value, whose texts may be templates over the row, `arguments` and `state`. Default: null.",
        examples: [{ status: "shipped" }],
      }),
    ),
    error: optional(
      Type.String({
        minLength: 1,
        description: "Instead of a result: a message of an error, which the model gets.",
        examples: ["no such order"],
      }),
    ),
    delay: optional(
      Type.Number({ minimum: 0, maximum: MAX_DELAY, default: 0, description: "Seconds until the answer." }),
    ),
    set: optional(
      Type.Record(AnyName, Type.Unknown(), {
        maxProperties: 100,
        description: "Values that the call writes into the state, by their path in it.",
        examples: [{ "orders.A1": "cancelled" }],
      }),
    ),
  },
  { additionalProperties: false, description: "An answer of a tool." },
)

/** The keys of the long form for the files of a program. */
export const PROGRAM_TEXTS = {
  files: optional(
    Type.Union(
      [
        Type.Record(Type.String(), Type.String()),
        Type.String({ pattern: "^[^\\s/#:@]+/[^\\s/#:@]+(?:@[^\\s#]+)?(?:#.+)?$", maxLength: 1000 }),
      ],
      {
        description:
          "Texts of the files of its program, by their paths in its working folder, or `workspace/fileset` with such files, which can have `@revision` or `@sha256:…` and `#folder`. A launch replaces a fileset by its texts.",
        examples: [{ "shop.py": "print(1)" }],
      },
    ),
  ),
  files_from: optional(
    Type.String({
      maxLength: 1000,
      description: "Set by the launch: the fileset that `files` were read from, with their digest.",
      examples: ["default/tools@sha256:…"],
    }),
  ),
} as const

/** The keys of a program that runs in a sandbox. */
export const PROGRAM_PARTS = {
  environment: optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
      description: "Variables of its program, which gets no others of this machine.",
      examples: [{ SHOP: "lamps" }],
    }),
  ),
  timeout: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX_CALL_TIME,
      default: CALL_TIME,
      description: "Seconds that a call of its program may take, and a server until it is ready.",
    }),
  ),
} as const

export const commandSchema = (description: string, example: readonly string[]) =>
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000, description, examples: [example] })

/**
 * Returns the schema of the tools of a conversation. Exactly one of their keys says where answers come from, which `toolFault` checks.
 * @param files the keys of the files of a program @param played the keys of a model that plays a tool
 */
export function toolsSchema<Files extends TProperties, Played extends TProperties>(files: Files, played: Played) {
  const tool = Type.Object(
    {
      name: optional(
        Type.String({
          pattern: "^[A-Za-z0-9_-]{1,64}$",
          description: "The name that the model calls. Without it, `mcp` offers all tools of its server.",
          examples: ["get_order"],
        }),
      ),
      description: optional(
        Type.String({ description: "What it does, for the model.", examples: ["Where an order is."] }),
      ),
      parameters: optional(
        Type.Record(AnyName, Type.Unknown(), {
          description:
            "A JSON Schema of its arguments. Calls that do not satisfy it are malformed. Default: any object.",
          examples: [{ type: "object", properties: { id: { type: "string" } }, required: ["id"] }],
        }),
      ),
      answers: optional(
        Type.Union([Type.Array(ToolAnswer, { minItems: 1, maxItems: MAX_ANSWERS }), Type.String({ minLength: 1 })], {
          description:
            "What it returns, written out: a list of answers, or a template that gives from the row a list of `{when, result}` and `{when, error}`, which are data. Of the answers of a row that fit, equal calls get one after the other.",
        }),
      ),
      script: optional(
        commandSchema(
          "Instead of `answers`: a program that runs in a sandbox for each call. It reads `{name, arguments, state}` as JSON from its input and writes `{result}` or `{error}`, and may write `set`.",
          ["python3", "shop.py"],
        ),
      ),
      ...played,
      mcp: optional(
        Type.Object(
          {
            command: commandSchema("The program of the server, which speaks over its input and output.", [
              "python3",
              "server.py",
            ]),
            ...files,
            ...PROGRAM_PARTS,
          },
          {
            additionalProperties: false,
            description:
              "Instead of `answers`: a server of the Model Context Protocol that runs in a sandbox, one for each conversation.",
            examples: [{ command: ["python3", "server.py"] }],
          },
        ),
      ),
      ...files,
      ...PROGRAM_PARTS,
    },
    { additionalProperties: false, description: "A tool, and where its answers come from." },
  )
  return Type.Array(tool, { maxItems: MAX_TOOLS, description: "The tools that the model may call in a conversation." })
}

interface ToolSources {
  readonly name?: string | undefined
  readonly answers?: unknown
  readonly script?: unknown
  readonly model?: unknown
  readonly mcp?: unknown
  readonly files?: unknown
  readonly environment?: unknown
  readonly timeout?: unknown
}

const SOURCES = ["answers", "script", "model", "mcp"] as const
const OF_SCRIPTS = ["files", "environment", "timeout"] as const

/** Returns the key of a tool that is wrong beside the others, and why. An empty key is the tool itself. Undefined: none is. */
export function toolFault(tool: ToolSources): { readonly key: string; readonly why: string } | undefined {
  const [first, second] = SOURCES.filter((key) => tool[key] !== undefined)
  if (first === undefined) {
    return { key: "", why: "has no answers; give it one of `answers`, `script`, `model` and `mcp`." }
  }
  if (second !== undefined)
    return { key: second, why: `can't be beside '${first}'; its answers come from one of them.` }
  if (tool.name === undefined && first !== "mcp")
    return { key: "name", why: "is missing; write the name that the model calls." }
  const stray = first === "script" ? undefined : OF_SCRIPTS.find((key) => tool[key] !== undefined)
  if (stray === undefined) return undefined
  const where = first === "mcp" ? "write it into `mcp`" : "it belongs to `script`"
  return { key: stray, why: `has no effect here; ${where}.` }
}
