import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createProtocolServer } from "./create-protocol-server.ts";
/** A larger message closes the connection. */
const MAX_MESSAGE_BYTES = 4194304;
/** Serves the protocol over a pair of streams, a message on each line, until the client closes its stream. */
export async function serveOverStdio(options) {
    const { stdin, stdout, onError, signal } = options;
    const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
    const ended = Promise.withResolvers();
    const end = () => ended.resolve(undefined);
    for (const event of ["end", "close", "error"])
        stdin.once(event, end);
    signal.addEventListener("abort", end, { once: true });
    const connection = serveStdio(() => createProtocolServer(options), { transport, onerror: onError });
    await ended.promise;
    await connection.close();
}
