// Runs inside the sandbox, where no package of Assay exists, so it imports none. Arguments: socket, port, command.
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { argv, exit, stderr } from "node:process"

const [, , socket = "", port = "", program = "", ...args] = argv

// Connects each connection of the command with the proxy in the server.
const server = createServer({ allowHalfOpen: true }, (near) => {
  const remote = connect({ path: socket, allowHalfOpen: true })
  near.on("error", () => remote.destroy())
  remote.on("error", () => near.destroy())
  near.pipe(remote)
  remote.pipe(near)
})

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" })
  child.once("error", (error) => {
    stderr.write(`harness: '${program}' can't be started: ${error.message}\n`)
    exit(127)
  })
  // Shells report signals in the same way: 128 + 9 for SIGKILL, 128 + 15 for SIGTERM.
  child.once("exit", (code, signal) => exit(code ?? (signal === "SIGKILL" ? 137 : 143)))
})
