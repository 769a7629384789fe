import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below those that systems give to whoever asks for any port: nobody takes one between here and the start of a server. */
const FIRST = 20_000
const LAST = 32_000

/** So many different ports of 127.0.0.1 that nobody listens on. */
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
