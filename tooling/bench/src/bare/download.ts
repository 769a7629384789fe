// The shortest node:http server that sends a file: a read stream of 1 MiB chunks, piped.
import { createReadStream, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"

const file = process.argv[2] ?? ""
const { size } = statSync(file)
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-length": size, "content-type": "application/octet-stream" })
  createReadStream(file, { highWaterMark: 1_048_576 }).pipe(response)
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
