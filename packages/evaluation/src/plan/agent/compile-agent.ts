import { type AgentConfig, type ApiEndpoint, type HarnessLimits, invalidRequest } from "@assay/schemas"
import { type ProgramTexts, programTexts } from "../program-texts.ts"
import type { TranscriptForm } from "./transcript/read-transcript.ts"

/** An agent, with its defaults filled in. */
export interface CompiledAgent {
  readonly how:
    | { readonly kind: "program"; readonly program: AgentProgram }
    | { readonly kind: "endpoint"; readonly endpoint: ApiEndpoint; readonly url: URL }
  readonly form: TranscriptForm
  readonly timeLimitMs: number
}

export interface AgentProgram extends ProgramTexts {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The image of the container that it runs in. Undefined: it runs in the sandbox. */
  readonly image: string | undefined
  /** A file that is read instead of its standard output. */
  readonly outputFile: string | undefined
  readonly limits: HarnessLimits
}

/** Seconds of a task, unless the file says otherwise. */
const TASK_TIME = 600
const LIMITS = { memory: 4 * 1024 ** 3, processes: 512, disk: 4 * 1024 ** 3 }

/** @throws `invalid_request` that names the part */
export function compileAgent(agent: AgentConfig | undefined, task: string): CompiledAgent {
  const path = ["tasks", task, "params", "agent"]
  if (agent === undefined) {
    throw invalidRequest(path, 'is missing; write {"program": {"command": ["python3", "agent.py"]}}.', "missing")
  }
  const { program, api_endpoint: endpoint, transcript, result, timeout = TASK_TIME, limits = {} } = agent
  const timeLimitMs = timeout * 1000
  if (program !== undefined && endpoint === undefined) {
    const { command, files, environment = {}, image } = program
    const own = {
      command,
      ...programTexts(files),
      environment,
      image,
      outputFile: result,
      limits: { ...LIMITS, ...limits },
    }
    return { how: { kind: "program", program: own }, form: transcript ?? "text", timeLimitMs }
  }
  if (program !== undefined || endpoint === undefined) {
    const what =
      program === undefined ? "has neither 'program' nor 'api_endpoint'" : "has both 'program' and 'api_endpoint'"
    throw invalidRequest(path, `${what}; an agent is one of them.`, "value_error")
  }
  if (!URL.canParse(endpoint.url)) {
    throw invalidRequest([...path, "api_endpoint", "url"], "is not an address; write http://host/run.", "value_error")
  }
  const how = { kind: "endpoint", endpoint, url: new URL(endpoint.url) } as const
  return { how, form: transcript ?? "json", timeLimitMs }
}
