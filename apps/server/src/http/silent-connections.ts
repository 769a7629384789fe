import type { Server } from "node:http"
import type { Socket } from "node:net"

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
