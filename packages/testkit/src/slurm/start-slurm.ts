import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { isReadable } from "../programs/find-program.ts"
import { freePorts } from "../programs/free-ports.ts"
import { keepServer, type KeptServer } from "../programs/keep-server.ts"
import { findSlurm } from "./find-slurm.ts"
import { killNodeProcesses } from "./node-processes.ts"
import { formatSlurmConfiguration } from "./slurm-configuration.ts"

/** A cluster of Slurm with one node and without accounting. */
export interface SlurmCluster {
  /** Variables with which the commands of Slurm find the cluster. */
  readonly env: Readonly<Record<string, string>>
  /** Ends the daemon of the node. Its tasks continue. */
  stopNode(): Promise<void>
  /** Ends the daemon of the node and all processes of its tasks, and lets the controller notice it at once instead of after `SlurmdTimeout`. */
  crashNode(): Promise<void>
  /** Starts the daemon of the node again. */
  startNode(): Promise<void>
  /** Ends the controller, which does not start again. */
  stopController(): Promise<void>
  /** Ends all tasks and daemons, and removes their data. */
  stop(): Promise<void>
}

export interface SlurmOptions {
  /** Number of tasks that run at the same time. Default 8. */
  readonly cpus?: number
  /** Indexes of arrays are smaller. Default 1,001, like that of Slurm. */
  readonly maxArraySize?: number
}

const START_MS = 30_000

/**
 * Starts a Slurm as the user of this process, on free ports of 127.0.0.1.
 * @throws if `findSlurm` does not find it
 */
export async function startSlurm({ cpus = 8, maxArraySize = 1001 }: SlurmOptions = {}): Promise<SlurmCluster> {
  const found = findSlurm()
  if (!found.isThere) throw new Error(`Slurm can't be started: ${found.reason}.`)
  const all = await mkdtemp(join(tmpdir(), "slurm-"))
  const folder = join(all, "cluster")
  const socket = join(folder, "munge.socket")
  const configuration = join(folder, "slurm.conf")
  for (const name of ["state", "spool"]) await mkdir(join(folder, name), { recursive: true })
  const [controllerPort = 0, nodePort = 0] = await freePorts(2)
  await writeFile(
    configuration,
    formatSlurmConfiguration({ folder, socket, controllerPort, nodePort, cpus, maxArraySize }),
  )
  await writeFile(join(folder, "munge.key"), randomBytes(1024), { mode: 0o400 })
  const env = { SLURM_CONF: configuration }
  const daemons = createDaemons(all, env)
  const run = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(found.program(name), args, { env: { ...process.env, ...env } })
    return stdout
  }
  const waitForMunge = async (): Promise<void> => {
    const signal = AbortSignal.timeout(START_MS)
    while (!isReadable(socket)) await pause(20, undefined, { signal })
  }
  const waitForNode = async (): Promise<void> => {
    const signal = AbortSignal.timeout(START_MS)
    // `idle*` is a node that does not respond.
    while (
      !/^(?:idle|mixed|allocated|completing)$/m.test(await run("sinfo", "--noheader", "--format=%T").catch(() => ""))
    ) {
      await pause(50, undefined, { signal })
    }
  }
  const startNode = (): Promise<void> => daemons.start("node", [found.program("slurmd"), "-D"], waitForNode)
  const endNode = async (): Promise<void> => {
    await daemons.stop("node")
    await killNodeProcesses(join(folder, "spool"))
  }
  const stop = async (): Promise<void> => {
    await endNode().catch(() => {})
    await daemons.stop("controller")
    await daemons.stop("munge")
    await rm(all, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const files = ["socket", "key-file", "pid-file", "log-file", "seed-file"]
    const options = files.map((name) => `--${name}=${join(folder, `munge.${name.replace("-file", "")}`)}`)
    await daemons.start("munge", [found.program("munged"), "--foreground", "--force", ...options], waitForMunge)
    await daemons.start("controller", [found.program("slurmctld"), "-D"])
    await startNode()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    env,
    stopNode: () => daemons.stop("node"),
    async crashNode() {
      await endNode()
      await run("scontrol", "update", "NodeName=node1", "State=DOWN", "Reason=crash")
    },
    startNode,
    stopController: () => daemons.stop("controller"),
    stop,
  }
}

/** Starts and ends daemons by name. Each start has a folder of its own, which is removed with the daemon. */
function createDaemons(all: string, env: Readonly<Record<string, string>>) {
  const running = new Map<string, KeptServer>()
  let starts = 0
  const stop = async (name: string): Promise<void> => {
    await running.get(name)?.stop()
    running.delete(name)
  }
  return {
    stop,
    async start(name: string, command: readonly [string, ...string[]], isReady = async () => {}): Promise<void> {
      const folder = join(all, "servers", `${name}-${starts++}`)
      await mkdir(folder, { recursive: true })
      const server = keepServer({ command, folder, user: {}, env })
      running.set(name, server)
      await Promise.race([isReady(), server.ended])
    },
  }
}
