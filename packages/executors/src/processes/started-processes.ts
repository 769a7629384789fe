import { createReadStream } from "node:fs"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, isAbsolute, join } from "node:path"
import { AssayError, printable } from "@assay/schemas"
import type { ShardProcess, ShardWork, Submission } from "../executor.ts"
import type { ProcessPorts } from "./process-ports.ts"
import { listLogs, type Processes } from "./start-processes.ts"

/** Where processes of this machine run, as any other process can find them: the ids of a submission. */
interface Address {
  readonly host: string
  /** The process that started them, and with which they end. */
  readonly pid: number
  /** When that process began, as its kernel says. Empty if it does not. */
  readonly started: string
  /** Absolute path of the folder with their output. */
  readonly logs: string
}

/** Returns the folder for the output of processes: inside the folder of the run, or a new temporary one for a bucket. */
export async function logsFolderOf({ run }: ShardWork): Promise<string> {
  return isAbsolute(run) ? join(run, "logs") : mkdtemp(join(tmpdir(), "assay-logs-"))
}

/** Returns the first part of the names of the logs of a shard. */
export function nameOfShard(index: number): string {
  return String(index).padStart(5, "0")
}

/** The processes that this process has started, and those of other processes of this machine. */
export interface StartedProcesses {
  /** Notes that this process has started processes, and returns the ids by which others find them. */
  note(processes: Processes, logs: string): Promise<readonly string[]>
  /** Returns the states of shards. Empty if another machine runs them. @param nameOf the name of the process of a shard */
  look(submission: Submission, nameOf: (index: number) => string): Promise<readonly ShardProcess[]>
  /** Ends them, with the process that started them if it is another one. @throws `executor_failed` */
  cancel(submission: Submission): Promise<void>
  logs(submission: Submission, name: string, signal: AbortSignal): AsyncIterable<string>
}

/** Milliseconds within which a process that is asked to end has ended its own ones. */
const END_MS = 20_000
const LOOK_MS = 200

export function createStartedProcesses(ports: ProcessPorts): StartedProcesses {
  const own = new Map<string, Processes>()
  const keyOf = ({ ids }: Pick<Submission, "ids">) => ids.join("\n")
  let count = 0

  async function isAlive({ pid, started }: Address): Promise<boolean> {
    return ports.isProcessAlive(pid) && (await startOf(pid)) === started
  }
  return {
    async note(processes, logs) {
      const ids = [ports.host, String(ports.pid), await startOf(ports.pid), logs, String(++count)]
      own.set(keyOf({ ids }), processes)
      return ids
    },
    async look(submission, nameOf) {
      const { indexes } = submission
      const processes = own.get(keyOf(submission))
      if (processes !== undefined) {
        return indexes.map((index) => ({ index, location: ports.host, ...stateIn(processes, nameOf(index)) }))
      }
      const address = addressOf(submission)
      if (address === undefined) return indexes.map((index) => ({ index, state: "ended" }))
      if (address.host !== ports.host) return []
      const isInterrupted = !(await isAlive(address))
      const state = isInterrupted ? "ended" : "waiting"
      return indexes.map((index) => ({ index, location: address.host, state, isInterrupted }))
    },
    async cancel(submission) {
      const processes = own.get(keyOf(submission))
      if (processes !== undefined) return processes.stop()
      const address = addressOf(submission)
      if (address === undefined) return
      if (address.host !== ports.host) throw elsewhere(address)
      if (address.pid === ports.pid || !(await isAlive(address))) return
      if (!(await isEvaluation(address.pid))) throw unknownProcess(address)
      ports.endProcess(address.pid)
      for (let waited = 0; waited < END_MS; waited += LOOK_MS) {
        if (!(await isAlive(address))) return
        await ports.sleep(LOOK_MS)
      }
      const message = `Process ${address.pid}, which runs the shards, was asked to end and still runs: end it with \`kill -9 ${address.pid}\`.`
      throw new AssayError("executor_failed", message)
    },
    async *logs(submission, name, signal) {
      const address = addressOf(submission)
      if (address === undefined) return
      for (const file of await listLogs(address.logs, name)) {
        yield `==> ${basename(file)} <==\n`
        for await (const piece of createReadStream(file, { encoding: "utf8", signal })) yield String(piece)
      }
    },
  }
}

function stateIn(processes: Processes, name: string): Pick<ShardProcess, "state" | "reason" | "isHopeless"> {
  const found = processes.stateOf(name) ?? { state: "ended" }
  const { state, reason } = found
  return state === "ended" && reason === undefined ? { state, reason: NO_ROWS } : found
}

/** Why a shard has ended whose process succeeded. It is shown only if the shard has no rows. */
const NO_ROWS = "the command ended with exit code 0 before its shards had rows"

function addressOf({ ids }: Submission): Address | undefined {
  const [host, pid, started = "", logs = ""] = ids
  return host === undefined || !/^[1-9]\d*$/.test(pid ?? "") || !isAbsolute(logs)
    ? undefined
    : { host, pid: Number(pid), started, logs }
}

function elsewhere({ host, pid }: Address): AssayError {
  const message = `The shards are processes of the machine '${printable(host)}': run the same command there, or end process ${pid} there.`
  return new AssayError("executor_failed", message)
}

function unknownProcess({ pid }: Address): AssayError {
  const message = `Process ${pid}, which the run names, is not known to be one of \`assay eval\`: look what it is, and end it with \`kill ${pid}\`.`
  return new AssayError("executor_failed", message)
}

/**
 * Returns whether a process is one of `assay eval`, as its command line says. False without `/proc`. The ids are in the folder of the run: whoever can change
 * it must not end other processes of this user.
 */
async function isEvaluation(pid: number): Promise<boolean> {
  const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  return words.split("\0").includes("eval")
}

/** Returns when a process began, in ticks of its kernel: a later process with the same id began later. Empty without `/proc`. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The second field is the name of the program in brackets, which can contain spaces.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
}
