import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below the ephemeral ports, so that no other program gets the port before the server starts. */
const FIRST = 20_000
const LAST = 32_000

/** Returns a number of different free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
