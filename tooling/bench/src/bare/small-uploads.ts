// The shortest node:http server that stores small bodies as safely: digest, temporary file, fsync, rename, fsync of the folder.
import { createHash } from "node:crypto"
import { mkdir, open, rename } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { basename, dirname, join } from "node:path"
import process from "node:process"

const root = process.argv[2] ?? ""
let uploads = 0

async function keep(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const bytes = Buffer.concat(parts)
  const path = join(root, request.url ?? "")
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  uploads += 1
  const aside = join(folder, `.aside-${uploads}`)
  const file = await open(aside, "wx")
  await file.write(bytes)
  await file.sync()
  await file.close()
  await rename(aside, path)
  const names = await open(folder)
  await names.sync()
  await names.close()
  return JSON.stringify({ path: basename(path), sha256: createHash("sha256").update(bytes).digest("hex") })
}

const server = createServer((request, response) => {
  keep(request).then(
    (answer) => response.end(answer),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      response.writeHead(500).end()
    },
  )
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
