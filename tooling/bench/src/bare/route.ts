// A Fastify route that only sends the bytes of a file: the cost of the framework itself.
import { readFileSync } from "node:fs"
import process from "node:process"
import { fastify } from "fastify"

const body = readFileSync(process.argv[2] ?? "", "utf8")
const app = fastify()
app.get("/*", (_request, reply) => reply.type("application/json; charset=utf-8").send(body))
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`)
process.on("SIGTERM", () => process.exit(0))
