import { createMcpHandler } from "@modelcontextprotocol/server";
import { createProtocolServer } from "./create-protocol-server.ts";
/** Creates the handler of POST requests. Notifications of a server to its client do not exist without sessions, so none can be subscribed. */
export function createProtocolHandler(onError) {
    return {
        answer: async (request, parsedBody, options) => {
            const handler = createMcpHandler(() => createProtocolServer(options), {
                maxSubscriptions: 0,
                onerror: onError,
            });
            return handler.fetch(request, { parsedBody });
        },
    };
}
