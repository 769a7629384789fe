import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { App } from "./app.ts"
import { sleep } from "../sleep.ts"

/** Time in which clients of a closing server may end the connections that they keep alive. */
const LEAVE_MS = 500
const LEAVE_CHECK_MS = 20
const IDLE_CHECK_MS = 100
/** A connection that is younger may have sent a request that has not been read yet. */
const FIRST_REQUEST_MS = 1000

/**
 * Tracks the connections of `app`'s server, and returns a function that closes `app` and resets as few requests as it can.
 * A client still gets a reset if it connects, or uses a connection after 500 ms of silence, just as the server closes it.
 *
 * - Responses ask clients to close their connections, for at most 500 ms, before the server closes those that are idle.
 *   A pool of a client would send its next request on a connection that is just being closed.
 * - Then the server stops listening, and waits for the running requests.
 * - Connections that have not had a request are closed after 1 second. Browsers and pools open some in advance. Node does
 *   not count them as idle, so the server would wait for them.
 */
export function trackConnections(app: App): () => Promise<void> {
  const { server } = app
  const openedAt = new Map<Socket, number>()
  server.on("connection", (socket: Socket) => {
    openedAt.set(socket, performance.now())
    socket.once("close", () => openedAt.delete(socket))
  })
  const endUnused = () => {
    server.closeIdleConnections()
    const before = performance.now() - FIRST_REQUEST_MS
    for (const [socket, opened] of openedAt) if (socket.bytesRead === 0 && opened < before) socket.destroy()
  }
  return async () => {
    await askToLeave(server, () => openedAt.size > 0)
    const timer = setInterval(endUnused, IDLE_CHECK_MS)
    try {
      await app.close()
    } finally {
      clearInterval(timer)
    }
  }
}

async function askToLeave(server: Server, isConnected: () => boolean): Promise<void> {
  // Before the listener that answers, which may send the headers at once.
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"))
  const until = performance.now() + LEAVE_MS
  while (isConnected() && performance.now() < until) await sleep(LEAVE_CHECK_MS)
}
