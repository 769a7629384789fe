import { AssayError } from "@assay/schemas"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { FastifyInstance } from "fastify"

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/**
 * Opens the server's address. `listen` is what opens it, and returns the URL.
 * @throws `address_in_use`; `bad_settings` if the system does not let it open
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
        const message = `Port ${port} of ${host} is in use by another program: choose another port with --port or PORT (0 takes a free one), or stop that program.`
        throw new AssayError("address_in_use", message, { cause, context })
      }
      case "EACCES": {
        const message = `This user may not listen on port ${port} of ${host}: set PORT (or --port) to one from 1024 on.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      case "EADDRNOTAVAIL":
      case "ENOTFOUND": {
        const message = `This machine has no address '${host}' to listen on: set HOST (or --host) to one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`
        throw new AssayError("bad_settings", message, { cause, context })
      }
      default:
        throw cause
    }
  }
}

/**
 * Keeps track of connections that have not sent a byte. Node doesn't count them among the idle ones, and browsers and pools of
 * clients open them ahead of need, so a server that closes would wait for them. Answers with what ends them.
 */
export function trackSilentConnections(server: Server): () => void {
  const open = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

const DRAIN_MS = 5000

/**
 * An answer can go out while the body is still coming in. What comes is read and dropped for a while, so that the client
 * sees the answer and not a reset connection; then the connection ends.
 */
export function closeUnreadRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, _reply, done) => {
    const { raw } = request
    if (!raw.complete && raw.method !== "GET" && raw.method !== "HEAD") {
      raw.resume()
      const timer = setTimeout(() => raw.socket.destroy(), DRAIN_MS)
      raw.once("close", () => clearTimeout(timer))
      timer.unref()
    }
    done()
  })
}
