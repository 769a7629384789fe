import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { commandSchema, PROGRAM_PARTS, PROGRAM_TEXTS } from "./conversation/tool-config.ts"
import { ApiEndpoint } from "./evaluation-target.ts"
import { HarnessLimits } from "./harness-config.ts"

/** The `format` of an endpoint that gets a whole task with one request. */
export const TASK_FORMAT = "task"

/** Seconds of a task, and the default. */
const MAX_TASK_TIME = 86_400
const TASK_TIME = 600

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** The keys of the program of an agent. */
export const AGENT_PROGRAM = {
  command: commandSchema(
    "The agent as a program in a sandbox, started for each row. It reads `{task, messages}` as JSON from its input.",
    ["python3", "agent.py"],
  ),
  environment: PROGRAM_PARTS.environment,
  image: optional(
    Type.String({
      pattern: "^[\\w][\\w./:@-]{0,299}$",
      description:
        "The image of a container in which its program runs, by docker or podman, instead of the sandbox. Only for runs of the command on this machine.",
      examples: ["ghcr.io/acme/agent:1.2"],
    }),
  ),
} as const

/** The keys of an agent that both forms of a file have. */
export const AGENT_PARTS = {
  transcript: optional(
    Type.Unsafe<"text" | "json" | "atif" | "otlp">(
      Type.String({
        pattern: "^(?:text|json|atif|otlp)$",
        description:
          "What it returns. `text`: its answer. `json`: an object with `output`, and maybe `messages`, `state` and `usage`. `atif`: a trajectory in the Agent Trajectory Interchange Format. `otlp`: spans in OTLP JSON. Default: text of a program, and json of an endpoint.",
        examples: ["atif"],
      }),
    ),
  ),
  result: optional(
    Type.String({
      minLength: 1,
      description: "The file in its working folder that a program returns it in. Default: its standard output.",
      examples: ["trajectory.json"],
    }),
  ),
  timeout: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX_TASK_TIME,
      default: TASK_TIME,
      description: "Seconds of a task. A program that takes longer is ended, and its row has no answer.",
    }),
  ),
  limits: optional(
    Type.Object(HarnessLimits.properties, {
      additionalProperties: false,
      description: "Limits of its program. Default: 4 GiB of memory, 512 processes and 4 GiB on disk.",
      examples: [{ memory: 1_073_741_824 }],
    }),
  ),
} as const

/** An agent of the long form, as `params.agent` of a task of the type `agent`. Its program may ask the model of the target. */
export const AgentConfig = Type.Object(
  {
    program: optional(
      Type.Object(
        {
          ...AGENT_PROGRAM,
          ...PROGRAM_TEXTS,
        },
        { additionalProperties: false },
      ),
    ),
    ...AGENT_PARTS,
    api_endpoint: optional(ApiEndpoint),
  },
  { $id: "AgentConfig", additionalProperties: false },
)
export type AgentConfig = Static<typeof AgentConfig>
