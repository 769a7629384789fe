import { hash } from "node:crypto"
import type { ProgramSandbox } from "@assay/harness"
import { fieldsOf } from "@assay/json"
import { AssayError, MAX_TOOLS } from "@assay/schemas"
import type { CompiledServer, ToolProgram } from "./compile-tools.ts"
import type { CallOptions, ScriptPorts } from "./script-tool.ts"
import { type AnsweredCall, answeredCall, type ReadCall } from "./tool-answer.ts"

type ToolServer = Awaited<ReturnType<ProgramSandbox["open"]>>
type ServedTool = Awaited<ReturnType<ToolServer["list"]>>[number]

/** A tool that a server offers, as models are told about it. */
export interface OfferedTool extends ServedTool {
  readonly program: ToolProgram
}

interface ToList extends ScriptPorts {
  readonly signal: AbortSignal
}

/** Lists the tools of a server, which is started for that unless they are recorded. @throws `harness_failed`, `recording_missing`, `invalid_request` */
export async function listServed(
  { program, only }: CompiledServer,
  { sandbox, recorder, signal }: ToList,
): Promise<readonly OfferedTool[]> {
  const by = program.command.join(" ")
  const { tools } = await recorder.keep<{ readonly tools: readonly ServedTool[] }>(
    { name: "tools", by, on: dependenciesOf(program), repeat: 0, kindOf: kindOfList },
    async () => {
      const server = await start(program, sandbox, signal)
      try {
        return { tools: await server.list(), milliseconds: 0 }
      } finally {
        await server.close()
      }
    },
  )
  const { name, description, parameters } = only
  const wanted = tools.filter((tool) => name === undefined || tool.name === name)
  if (wanted.length === 0) {
    const what = name === undefined ? "offers no tools" : `has no tool '${name}'; it offers ${namesOf(tools)}`
    throw new AssayError("invalid_request", `The server of tools '${by}' ${what}.`)
  }
  const odd = wanted.find((tool) => !/^[A-Za-z0-9_-]{1,64}$/.test(tool.name))
  if (odd !== undefined) {
    const what = `offers '${odd.name.slice(0, 100)}', which is not a name that models can call`
    throw new AssayError("invalid_request", `The server of tools '${by}' ${what}; name the tools that are needed.`)
  }
  return wanted.map((tool) => ({
    ...tool,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    program,
  }))
}

function namesOf(tools: readonly ServedTool[]): string {
  return tools
    .slice(0, MAX_TOOLS)
    .map(({ name }) => name)
    .join(", ")
    .slice(0, 300)
}

function dependenciesOf({ command, files, environment, timeLimitMs }: ToolProgram): object {
  return { command, files, environment, timeLimitMs }
}

function start(program: ToolProgram, sandbox: ProgramSandbox, signal: AbortSignal): Promise<ToolServer> {
  const { timeLimitMs } = program
  return sandbox.open(program, { startLimitMs: timeLimitMs, callLimitMs: timeLimitMs, signal })
}

/** The servers of one conversation. */
export interface ConversationServers {
  /** @throws `harness_failed` if the sandbox can't be started; `recording_missing` */
  answer(program: ToolProgram, call: ReadCall, state: unknown): Promise<AnsweredCall>
  close(): Promise<void>
}

/** A server of a conversation, and the calls on which its next answer depends. */
interface Served {
  server: Promise<ToolServer> | undefined
  /** Calls that the server has not got, because their answers were recorded. */
  readonly missed: ReadCall[]
  /** The digest of all calls. */
  history: string
}

/**
 * Creates the servers of one conversation, each of which starts with its first call that is not recorded. It first gets the calls whose answers were
 * recorded, because it may have changed with them.
 */
export function createServers(
  { sandbox, recorder }: ScriptPorts,
  { repeat, signal }: CallOptions,
): ConversationServers {
  const served = new Map<ToolProgram, Served>()
  let slot: ReturnType<ProgramSandbox["takeSlot"]> | undefined

  async function startOnce(program: ToolProgram, { missed }: Served): Promise<ToolServer> {
    slot ??= sandbox.takeSlot(signal)
    await slot
    const server = await start(program, sandbox, signal)
    for (const call of missed.splice(0)) await server.call(call.name, call.args)
    return server
  }
  return {
    async answer(program, call, state) {
      const one = served.get(program) ?? { server: undefined, missed: [], history: "" }
      served.set(program, one)
      const body = { name: call.name, arguments: call.args }
      const on = { ...dependenciesOf(program), history: one.history, ...body }
      one.history = hash("sha256", JSON.stringify([one.history, body]))
      let isAsked = false
      // Another conversation may wait for the slot of this one.
      const isAlone = slot !== undefined
      const of = { name: call.name, by: program.command.join(" "), on, repeat, kindOf: kindOfReply, isAlone }
      const { milliseconds, ...reply } = await recorder.keep<ServedReply>(of, async () => {
        isAsked = true
        one.server ??= startOnce(program, one)
        return (await one.server).call(call.name, call.args)
      })
      if (!isAsked) {
        if (one.server === undefined) one.missed.push(call)
        else await (await one.server).call(call.name, call.args)
      }
      return answeredCall(call, reply, state, { tookMs: milliseconds })
    },
    async close() {
      for (const { server } of served.values()) await server?.then((one) => one.close()).catch(() => {})
      const release = await slot?.catch(() => undefined)
      release?.()
    },
  }
}

function kindOfReply({ result, error, fault }: Readonly<Record<string, unknown>>) {
  if (typeof fault === "string") return "failure"
  return result !== undefined || typeof error === "string" ? "answer" : "unusable"
}

function kindOfList({ tools }: Readonly<Record<string, unknown>>) {
  const isList = Array.isArray(tools) && tools.every((tool: unknown) => typeof fieldsOf(tool)["name"] === "string")
  return isList ? "answer" : "unusable"
}

type ServedReply = { readonly result: unknown } | { readonly error: string } | { readonly fault: string }
