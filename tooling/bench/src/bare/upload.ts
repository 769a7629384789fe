// The shortest node:http server that stores a body: coalesced to 16 MiB, written, fsynced. No digest, no rename.
import { open } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import process from "node:process"

const folder = process.argv[2] ?? ""
const BUFFER = 16_777_216
let uploads = 0

async function keep(request: IncomingMessage): Promise<void> {
  uploads += 1
  const handle = await open(join(folder, `bare-upload-${uploads}`), "wx")
  let parts: Buffer[] = []
  let held = 0
  const flush = async () => {
    if (held === 0) return
    await handle.writev(parts)
    parts = []
    held = 0
  }
  for await (const part of request as AsyncIterable<Buffer>) {
    parts.push(part)
    held += part.length
    if (held >= BUFFER) await flush()
  }
  await flush()
  await handle.sync()
  await handle.close()
}

const server = createServer((request, response) => {
  keep(request).then(
    () => response.end("ok"),
    (error: unknown) => response.destroy(error as Error),
  )
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
