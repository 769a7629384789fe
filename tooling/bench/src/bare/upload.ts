// The shortest node:http server that stores a body with its digest: coalesced to 4 MiB, hashed, written, fsynced. No rename.
// Arguments: folder, and `overlapping` to hash each part while it is written, or `in-turn` to hash it first and then to write it.
import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import process from "node:process"

const [folder = "", order = "overlapping"] = process.argv.slice(2)
const BUFFER = 4_194_304
let uploads = 0

async function keep(request: IncomingMessage): Promise<string> {
  uploads += 1
  const handle = await open(join(folder, `bare-${order}-${uploads}`), "wx")
  const hash = createHash("sha256")
  let parts: Buffer[] = []
  let held = 0
  let written: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    const batch = parts
    parts = []
    held = 0
    if (order === "in-turn") for (const part of batch) hash.update(part)
    await written
    written = handle.writev(batch)
    if (order === "in-turn") await written
    else for (const part of batch) hash.update(part)
  }
  for await (const part of request as AsyncIterable<Buffer>) {
    parts.push(part)
    held += part.length
    if (held >= BUFFER) await flush()
  }
  if (held > 0) await flush()
  await written
  await handle.sync()
  await handle.close()
  return hash.digest("hex")
}

const server = createServer((request, response) => {
  keep(request).then(
    (digest) => response.end(digest),
    (error: unknown) => response.destroy(error as Error),
  )
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
