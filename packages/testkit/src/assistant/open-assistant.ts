import type { Client } from "@modelcontextprotocol/client"

/** How an assistant reaches its tools: a server, or a program that it starts. */
export type AssistantTools =
  | { readonly url: string; readonly token?: string | undefined }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }

export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  /** The structured answer. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of an answer and then assert on it
  readonly json: any
}

/** A connected client of the Model Context Protocol. */
export interface Assistant extends AsyncDisposable {
  readonly client: Client
  call(name: string, input?: object): Promise<ToolAnswer>
}

/** Connects the client of the protocol's authors, as an assistant does. */
export async function openAssistant(tools: AssistantTools): Promise<Assistant> {
  // Loaded here, because most tests import the testkit and few need an assistant.
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const client = new Client({ name: "test", version: "1.0.0" })
  if ("url" in tools) {
    const { url, token } = tools
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  } else await client.connect(new StdioClientTransport(tools))
  return {
    client,
    call: async (name, input = {}) => {
      const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: { ...input } })
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("")
      return { isError, text, json: structuredContent }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
