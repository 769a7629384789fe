import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePorts } from "../programs/free-ports.ts"
import { reachableBinaries } from "./reachable-binaries.ts"
import { unprivilegedUser } from "../programs/unprivileged-user.ts"

export interface PostgresServer {
  /** Address of the database `postgres`, in which others are created. */
  readonly url: string
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Parent folder of its data. Default: the system's folder for temporary files. */
  readonly dir?: string
  /** Whether commits wait for the disk. Default false, because the data is temporary. */
  readonly durable?: boolean
}

/**
 * Ends the server and removes its data when our end of the pipe is closed. A killed test runner therefore leaves nothing behind,
 * even if all of its processes get the signal. The shell gives an asynchronous command /dev/null as its input, so the pipe gets a
 * second descriptor.
 */
const KEEPER = `trap '' HUP INT TERM
folder=$1; shift
exec 3<&0
"$@" 3<&- &
server=$!
{ cat <&3; kill -QUIT $server; } >/dev/null 2>&1 &
wait $server
rm -rf "$folder" 2>/dev/null`

/** Durability and statistics cost time, and are useless for temporary data. */
const TEMPORARY = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
]

/** On a busy machine, connections that were closed end later than new ones begin. The default is 100. */
const CONNECTIONS = "max_connections=400"

/** Starts a PostgreSQL server with empty data on a free port of 127.0.0.1. It also works as root. */
export async function startPostgres({
  dir = tmpdir(),
  durable = false,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(dir, "postgres-"))
  const user = unprivilegedUser()
  const data = join(folder, "data")
  await mkdir(data, { mode: 0o700 })
  if (user.uid !== undefined) for (const owned of [folder, data]) await chown(owned, user.uid, user.gid ?? user.uid)
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    const bin = join(await reachableBinaries(folder), "bin")
    const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
    const made = spawnSync(join(bin, "initdb"), init, { ...user, cwd: "/", encoding: "utf8" })
    if (made.status !== 0)
      throw new Error(`initdb failed: ${made.stderr || made.error?.message}`, { cause: made.error })
    const [port] = await freePorts(1)
    const settings = [CONNECTIONS, ...(durable ? [] : TEMPORARY)].flatMap((setting) => ["-c", setting])
    const start = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", "", ...settings]
    const server = spawn("sh", ["-c", KEEPER, "sh", folder, join(bin, "postgres"), ...start], {
      ...user,
      cwd: "/",
      stdio: ["pipe", "ignore", "pipe"],
    })
    await ready(server)
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        const exited = new Promise((resolve) => server.once("exit", resolve))
        server.stdin.end()
        if (server.exitCode === null) await exited
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    const fail = () => reject(new Error(`PostgreSQL did not start: ${said.join("\n")}`))
    server.once("error", reject)
    server.once("exit", fail)
    if (server.stderr === null) throw new TypeError("The server's log must be piped.")
    createInterface({ input: server.stderr }).on("line", (line) => {
      // Continue reading after the start. A full pipe would block the server.
      said.push(line)
      if (said.length > 50) said.shift()
      if (!line.includes("ready to accept connections")) return
      server.off("exit", fail)
      resolve()
    })
  })
}
