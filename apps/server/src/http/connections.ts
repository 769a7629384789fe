import { once } from "node:events"
import { createServer, Socket } from "node:net"
import { AssayError } from "@assay/schemas"
import type { FastifyInstance } from "fastify"

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Calls `listen` to open the server's address, and returns the URL.
 * @throws `address_in_use`; `bad_settings` if the system refuses the address
 */
export async function listen(
  { host, port }: ListenAddress,
  listen: (address: ListenAddress) => Promise<string>,
): Promise<string> {
  try {
    return await listen({ host, port })
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    const context = { host, port }
    switch (code) {
      case "EADDRINUSE": {
        const message = `Port ${port} of ${host} is in use by another program: choose another port with --port or PORT (0 picks a free one), or stop that program.`
        throw new AssayError("address_in_use", message, { cause, context })
      }
      case "EACCES": {
        const message = `This user may not listen on port ${port} of ${host}: set PORT (or --port) to 1024 or higher.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      case "EADDRNOTAVAIL":
      case "ENOTFOUND": {
        const message = `This machine has no address '${host}': set HOST (or --host) to one of its addresses, such as 127.0.0.1, or to 0.0.0.0 for all of them.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      default:
        throw cause
    }
  }
}

/** Opens the server's address and closes it again. @throws the errors of `listen` */
export async function checkListening(address: ListenAddress): Promise<void> {
  await listen(address, async ({ host, port }) => {
    const probe = createServer()
    probe.listen({ host, port })
    await once(probe, "listening")
    probe.close()
    await once(probe, "close")
    return ""
  })
}

const DRAIN_MS = 5000

/**
 * Drains request bodies that still arrive after the response was sent, for at most 5 seconds, so that the client sees the
 * response and not a reset connection. Then closes the connection.
 */
export function closeUnreadRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, _reply, done) => {
    const { raw } = request
    // Calls of this server to itself have no connection.
    if (raw.socket instanceof Socket && !raw.complete && raw.method !== "GET" && raw.method !== "HEAD") {
      raw.resume()
      const timer = setTimeout(() => raw.socket.destroy(), DRAIN_MS)
      raw.once("close", () => clearTimeout(timer))
      timer.unref()
    }
    done()
  })
}
