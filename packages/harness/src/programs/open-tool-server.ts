import { Client, ProtocolError } from "@modelcontextprotocol/client"
import { AssayError, MAX_TOOLS } from "@assay/schemas"
import type { Program, ProgramPorts } from "./run-program.ts"
import { openTransport, shortMessage } from "./tool-transport.ts"

export interface ToolServerOptions {
  /** Until the server is ready. */
  readonly startLimitMs: number
  readonly callLimitMs: number
  readonly signal: AbortSignal
}

/** A tool that a server offers. */
export interface ServedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The answer of a server to a call. It has either a result or an error. `fault`: it failed itself. */
export type ServedAnswer =
  | { readonly result: unknown; readonly milliseconds: number }
  | { readonly error: string; readonly milliseconds: number }
  | { readonly fault: string; readonly milliseconds: number }

/** A server of tools in the sandbox. Close it after use. */
export interface ToolServer {
  /** Lists its tools. @throws `harness_failed` */
  list(): Promise<readonly ServedTool[]>
  /** @throws the reason of the signal */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ServedAnswer>
  close(): Promise<void>
}

/** Characters of the descriptions and schemas of all tools, which each request of a conversation has. */
const MAX_LIST = 1024 * 1024
/** Pages of a list of tools. */
const MAX_PAGES = 20

/**
 * Starts a server of the Model Context Protocol over its input and output. If it does not get ready, its list fails, and each of its calls has a fault.
 * @throws `harness_failed` if the sandbox can't be started; the reason of the signal
 */
export async function openToolServer(
  program: Program,
  ports: ProgramPorts,
  { startLimitMs, callLimitMs, signal }: ToolServerOptions,
): Promise<ToolServer> {
  const opened = openTransport(program, ports, signal)
  const client = new Client({ name: "assay", version: "1" })
  const whyOf = async (error: unknown): Promise<string> => {
    signal.throwIfAborted()
    return (opened.isClosing() ? undefined : await opened.whyEnded()) ?? shortMessage(error)
  }
  const ready = await client.connect(opened.transport, { timeout: startLimitMs, signal }).then(
    () => undefined,
    async (error: unknown) => `the server did not get ready: ${await whyOf(error)}`,
  )
  if (ready !== undefined) await client.close().catch(() => {})
  opened.throwFailure()
  const now = ports.elapsed
  return {
    async list() {
      const name = program.command.join(" ").slice(0, 100)
      try {
        if (ready === undefined) return await listTools(client, { timeout: startLimitMs, signal })
      } catch (error) {
        const why = await whyOf(error)
        throw new AssayError("harness_failed", `The server of tools '${name}' gave no list: ${why}.`, { cause: error })
      }
      throw new AssayError("harness_failed", `The tools of '${name}' are not known: ${ready}.`)
    },
    async call(tool, args) {
      if (ready !== undefined) return { fault: ready, milliseconds: 0 }
      const started = now()
      try {
        const answer = await client.callTool({ name: tool, arguments: { ...args } }, { timeout: callLimitMs, signal })
        return { ...answerOf(answer), milliseconds: now() - started }
      } catch (error) {
        const milliseconds = now() - started
        // The server refused the call. Any other error is its failure.
        if (error instanceof ProtocolError) return { error: error.message, milliseconds }
        return { fault: await whyOf(error), milliseconds }
      }
    },
    close: () => client.close(),
  }
}

async function listTools(client: Client, options: { timeout: number; signal: AbortSignal }) {
  const found: ServedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, options)
    found.push(...tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })))
    if (found.length > MAX_TOOLS) throw new Error(`offers more than ${MAX_TOOLS} tools`)
    const { length } = JSON.stringify(found)
    if (length > MAX_LIST) throw new Error(`describes its tools in ${length} characters, and the limit is ${MAX_LIST}`)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return found
}

/** Returns the answer of a call: its structured content, or its texts. Other parts are named. */
function answerOf({ content, structuredContent, isError }: Awaited<ReturnType<Client["callTool"]>>) {
  const text = content
    .map((part) => {
      if (part.type === "text") return part.text
      if (part.type === "resource" && "text" in part.resource) return part.resource.text
      return `[${part.type}]`
    })
    .join("\n")
  if (isError === true) return { error: text === "" ? "The tool failed." : text }
  return { result: structuredContent ?? text }
}
