import type { FastifyInstance } from "fastify"

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
