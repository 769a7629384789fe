// The shortest node:http proxy: it forwards every request to the same path of a given origin.
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"

const origin = process.argv[2] ?? ""
const server = createServer((request, response) => {
  httpRequest(origin + request.url, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  }).end()
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
