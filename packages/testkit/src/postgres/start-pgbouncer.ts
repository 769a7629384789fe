import { chown, mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Client } from "pg"
import { findProgram } from "../programs/find-program.ts"
import { freePorts } from "../programs/free-ports.ts"
import { keepServer } from "../programs/keep-server.ts"
import { unprivilegedUser } from "../programs/unprivileged-user.ts"

/** A pooler of connections to PostgreSQL. */
export interface PgBouncer {
  /** The address of a database behind the pooler. */
  addressOf(databaseUrl: string): string
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  /** Maximum number of connections to each database, for all clients together. */
  readonly connections: number
}

/** Returns the path of PgBouncer. Undefined if it is not installed. Packages put it in a folder for administrators. */
export function findPgBouncer(): string | undefined {
  return findProgram("pgbouncer", [process.env["PATH"] ?? "", "/usr/sbin"].join(delimiter))
}

const START_MS = 20_000

/**
 * Starts PgBouncer in transaction mode before the PostgreSQL server at `serverUrl`: each transaction of a client uses any of the
 * connections, and settings of a session reach other clients.
 * @throws if `findPgBouncer` does not find it
 */
export async function startPgBouncer(serverUrl: string, { connections }: PgBouncerOptions): Promise<PgBouncer> {
  const program = findPgBouncer()
  if (program === undefined) throw new Error("PgBouncer is not installed.")
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const [port = 0] = await freePorts(1)
  const user = unprivilegedUser()
  const all = await mkdtemp(join(tmpdir(), "pgbouncer-"))
  const folder = join(all, "servers", "pgbouncer")
  await mkdir(folder, { recursive: true })
  const configuration = join(folder, "pgbouncer.ini")
  await writeFile(join(folder, "users"), `"${username}" ""\n`)
  await writeFile(
    configuration,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  )
  if (user.uid !== undefined) {
    for (const owned of [all, join(all, "servers"), folder]) await chown(owned, user.uid, user.gid ?? user.uid)
  }
  const server = keepServer({ command: [program, configuration], folder, user })
  const addressOf = (databaseUrl: string) => {
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${port}`
    return url.href
  }
  const failed = new AbortController()
  const answers = waitForAnswer(addressOf(serverUrl), AbortSignal.any([failed.signal, AbortSignal.timeout(START_MS)]))
  try {
    await Promise.race([answers, server.ended])
  } catch (error) {
    failed.abort()
    await server.stop()
    throw error
  }
  return { addressOf, stop: () => server.stop() }
}

async function waitForAnswer(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      // It does not listen yet.
      await pause(20, undefined, { signal })
    } finally {
      await client.end().catch(() => {})
    }
  }
}
