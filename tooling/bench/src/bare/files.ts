// The shortest node:http server that sends the small files of a folder, each read whole. Argument: the folder.
import { readFile } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import process from "node:process"

const root = process.argv[2] ?? ""
const server = createServer((request, response) => {
  readFile(join(root, request.url ?? ""), (error, bytes) => {
    if (error !== null) return response.writeHead(404, { "content-length": 0 }).end()
    const headers = { "content-length": bytes.length, "content-type": "application/octet-stream" }
    return response.writeHead(200, headers).end(bytes)
  })
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
