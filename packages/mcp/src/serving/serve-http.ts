import { createMcpHandler } from "@modelcontextprotocol/server"
import { createProtocolServer, type ProtocolOptions } from "./create-protocol-server.ts"

/** Answers requests of the protocol's streamable HTTP, each by itself: there are no sessions. */
export interface ProtocolHandler {
  /** Answers one POST. Its answer ends with the result of the call. */
  answer(request: Request, body: unknown, options: ProtocolOptions): Promise<Response>
}

/** Creates the handler of POST requests. Notifications of a server to its client do not exist without sessions, so none can be subscribed. */
export function createProtocolHandler(onError: (error: Error) => void): ProtocolHandler {
  return {
    answer: async (request, parsedBody, options) => {
      const handler = createMcpHandler(() => createProtocolServer(options), {
        maxSubscriptions: 0,
        onerror: onError,
      })
      return handler.fetch(request, { parsedBody })
    },
  }
}
