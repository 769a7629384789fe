import { spawn } from "node:child_process"
import { hash } from "node:crypto"
import { once } from "node:events"
import { mkdtempDisposable, readFile, readdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { answerTo, type Endpoint, questionAbout, startEndpoint } from "../cluster/start-endpoint.ts"

export interface EnginesOptions {
  readonly rows: number
  readonly shards: number
  /** Shards at the same time. */
  readonly atOnce: number
  readonly parallelism: number
  readonly latencyMs: number
  /** Processes of shards that are killed with SIGKILL. */
  readonly kills: number
  /** Pairs of runs, in one process and in shards, that are compared. */
  readonly pairs: number
}

export interface EnginesResult {
  /** Digests of the results without what is particular to a run: of one process, and of shards. */
  readonly digests: readonly string[]
  readonly faults: readonly string[]
  /** Seconds of each pair: one process, then shards. */
  readonly pairs: readonly (readonly [alone: number, shards: number])[]
  readonly kills: number
  /** Rows that were asked more than once by the run with kills. */
  readonly askedAgain: number
  readonly seconds: number
  readonly status: string
}

export const PROGRAM = new URL("../../../../apps/cli/dist/bundle/main.js", import.meta.url).pathname

/** Runs a job in one process and in shards as processes of this machine, in turns, then once more in shards while they are killed, and compares the results. */
export async function runEngines(options: EnginesOptions, log: (line: string) => void): Promise<EnginesResult> {
  await using root = await mkdtempDisposable(join(tmpdir(), "assay-engines-"))
  const endpoint = await startEndpoint(options)
  try {
    await writeJob(root.path, endpoint.url, options)
    const alone = ["--parallel", String(options.parallelism), "--skip-checks", "--fresh"]
    const shards = [...alone.slice(0, 3), "--executor", "local", ...words(options)]
    const pairs: [number, number][] = []
    const digests = new Set<string>()
    for (let pair = 0; pair < options.pairs; pair++) {
      const one = await timed(() => assay(root.path, ["eval", "run", "eval.yaml", ...alone, "--out", `a${pair}`]))
      const many = await timed(() => assay(root.path, ["eval", "run", "eval.yaml", ...shards, "--out", `b${pair}`]))
      pairs.push([one, many])
      for (const name of ["a", "b"]) digests.add(await digestOf(join(root.path, `${name}${pair}`)))
      log(`pair ${pair + 1}: one process ${one.toFixed(2)} s, ${options.shards} shards ${many.toFixed(2)} s`)
    }
    const killed = await runWithKilledShards(root.path, endpoint, shards, options)
    digests.add(await digestOf(join(root.path, "killed")))
    const faults = digests.size === 1 ? [] : [`The results have ${digests.size} different digests.`]
    return { ...killed, digests: [...digests], faults, pairs, status: "COMPLETED" }
  } finally {
    await endpoint.close()
  }
}

function words({ shards, atOnce }: EnginesOptions): readonly string[] {
  return ["--shards", String(shards), "--at-once", String(atOnce)]
}

/** Writes `eval.yaml` and its rows into a folder. */
export async function writeJob(folder: string, url: string, { rows }: Pick<EnginesOptions, "rows">): Promise<void> {
  const lines = Array.from({ length: rows }, (_, row) => `${questionAbout(row)},${answerTo(row)}`)
  await writeFile(join(folder, "rows.csv"), `question,answer\n${lines.join("\n")}\n`)
  const text = `model: ${url}#m\ndata: rows.csv\nprompt: "{{ question }}"\nchecks:\n  - equals: "{{ answer }}"\n`
  await writeFile(join(folder, "eval.yaml"), text)
}

/** Runs the command to its end. @throws if it fails */
export async function assay(cwd: string, args: readonly string[], env = process.env): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.on("data", (piece: Buffer) => (said = (said + piece.toString()).slice(-2000)))
  const [code] = (await once(child, "exit")) as [number | null]
  if (code !== 0) throw new Error(`assay ${args.join(" ")} ended with ${code}: ${said}`)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function runWithKilledShards(
  folder: string,
  endpoint: Endpoint,
  args: readonly string[],
  { kills }: EnginesOptions,
): Promise<Pick<EnginesResult, "kills" | "askedAgain" | "seconds">> {
  const before = endpoint.history().questions.length
  let done = 0
  const ended = new AbortController()
  const killing = (async () => {
    while (done < kills && !ended.signal.aborted) {
      await pause(300 + 700 * ((done * 37) % 10) * 0.1)
      const pid = (await shardProcesses(folder))[done % 3]
      if (pid !== undefined && kill(pid)) done++
    }
  })()
  const run = ["eval", "run", "eval.yaml", ...args, "--retries", "100", "--out", "killed"]
  const [seconds] = await Promise.all([timed(() => assay(folder, run)).finally(() => ended.abort()), killing])
  if (done < kills) throw new Error(`The run ended after ${done} of ${kills} kills: give it more rows, or fewer kills.`)
  const questions = endpoint.history().questions.slice(before)
  const askedAgain = questions.length - new Set(questions.map(({ row }) => row)).size
  return { kills: done, askedAgain, seconds }
}

/** Kills a process. Returns false if it has ended. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
    throw error
  }
}

/** Returns the ids of the processes that run shards of the run `killed` in a folder. */
async function shardProcesses(folder: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")
    const isShard = line.startsWith(process.execPath) && line.includes("\0eval\0shard\0")
    if (isShard && line.includes(join(folder, "killed"))) found.push(Number(name))
  }
  return found
}

/** Returns a digest of the results in a folder without ids, times and latencies. */
export async function digestOf(folder: string): Promise<string> {
  const names = ["results/rows.jsonl", "results/metrics.csv", "results/results.json", "config/job.json"]
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  const common = texts.map((text) =>
    text
      .replaceAll(/\b(eval|evaluation_result)-[0-9a-f]{32}\b/g, "$1-ID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/"latency_ms": ?[\d.]+/g, '"latency_ms":LATENCY')
      .replaceAll(/"attempt": ?\d+/g, '"attempt":N'),
  )
  return hash("sha256", common.join("\n"))
}
