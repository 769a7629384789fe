// Runs alone inside the sandbox: it imports nothing of ours. Arguments: socket, port, command.
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { argv, exit, stderr } from "node:process"

const [, , socket = "", port = "", program = "", ...args] = argv

// Each connection of the command goes to the proxy of the server that started it.
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
  // A shell reports a signal in the same way.
  child.once("exit", (code, signal) => exit(code ?? (signal === "SIGKILL" ? 137 : 143)))
})
