import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, startPostgres } from "@assay/testkit"
import { startEndpoint, type Endpoint } from "./start-endpoint.ts"
import { startProcess, type AssayProcess } from "./start-process.ts"

export interface ClusterOptions {
  /** Processes that only serve requests. 0: the workers serve them, too. */
  readonly servers: number
  readonly workers: number
  /** Milliseconds until the endpoint answers. */
  readonly latencyMs: number
  /** The checkout of another version, from which these processes are started. Default: this one. */
  readonly checkout?: string | undefined
}

/** Servers and workers on one PostgreSQL database and one shared folder, and an endpoint. All on loopback. */
export interface Cluster {
  readonly endpoint: Endpoint
  readonly servers: readonly AssayProcess[]
  readonly workers: AssayProcess[]
  /** Starts another worker, from this checkout. */
  readonly startWorker: () => Promise<AssayProcess>
  /** Starts another server, from this checkout. */
  readonly startServer: () => Promise<AssayProcess>
  close(): Promise<void>
}

export async function startCluster({ servers, workers, latencyMs, checkout }: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "assay-scale-"))
  const endpoint = await startEndpoint(latencyMs)
  const postgres = await startPostgres()
  const shared = {
    DATABASE_URL: await createDatabase(postgres.url),
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(folder, "shared") }),
    ASSAY_SHARED_LOCAL: "true",
    ASSAY_ENCRYPTION_KEYS: `scale:${randomBytes(32).toString("base64")}`,
  }
  const processes: AssayProcess[] = []
  const start = async (roles: string, from?: string): Promise<AssayProcess> => {
    const data = join(folder, `data-${processes.length}-${randomBytes(3).toString("hex")}`)
    const one = await startProcess({ ...shared, ASSAY_ROLES: roles, ASSAY_DATA_DIR: data }, from)
    processes.push(one)
    return one
  }
  const startAll = async (roles: string, count: number): Promise<AssayProcess[]> => {
    const started: AssayProcess[] = []
    for (let at = 0; at < count; at++) started.push(await start(roles, checkout))
    return started
  }
  const rolesOfWorkers = servers === 0 ? "api,worker" : "worker"
  const serving = await startAll("api", servers)
  const working = await startAll(rolesOfWorkers, workers)
  return {
    endpoint,
    servers: servers === 0 ? working.slice(0, 1) : serving,
    workers: working,
    startWorker: () => start(rolesOfWorkers),
    startServer: () => start("api"),
    async close() {
      await Promise.all(processes.map((one) => one.kill()))
      await Promise.all([endpoint.close(), postgres.stop()])
      await rm(folder, { recursive: true })
    },
  }
}
