import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Disk } from "../open-disk.ts"
import { startOnDisk, writeAdminToken } from "../start-on-disk.ts"
import { crashState, type CrashState } from "./crash-state.ts"
import { isSync, parseLog } from "./parse-log.ts"
import type { Acknowledged } from "./recorder.ts"
import { runWorkload } from "./workload.ts"

export interface PowerLossOptions {
  /** Number of writes of each kind. */
  readonly steps: number
  /** Maximum number of moments at which the power fails. */
  readonly moments: number
  readonly seed: number
  /** Starts the server of another checkout. */
  readonly checkout?: string | undefined
}

export interface PowerLossReport {
  readonly calls: number
  readonly acknowledged: number
  readonly states: number
  readonly checks: number
  readonly faults: readonly string[]
}

/**
 * Records the system calls of a server that acknowledges writes of every kind, with a restart in between. Then builds what a disk can hold
 * after a power failure at many moments, starts a server on each, and reads back everything that was acknowledged before that moment.
 */
export async function runPowerLoss(
  disk: Disk,
  home: string,
  { steps, moments, seed, checkout }: PowerLossOptions,
  log: (line: string) => void,
): Promise<PowerLossReport> {
  writeAdminToken(disk.folder)
  const base = new Map([["tokens.json", readFileSync(join(disk.folder, "tokens.json"))]])
  const acknowledged: Acknowledged[] = []
  for (const part of [1, 2]) {
    const server = await startOnDisk(disk.folder, { env: disk.env, checkout })
    const note = (one: Acknowledged) => void acknowledged.push(one)
    const recorder = { send: server.send, position: () => disk.position(), note }
    await runWorkload(recorder, part, steps)
    await server.stop()
  }
  const entries = parseLog(disk.log())
  log(`${entries.length} calls, ${acknowledged.length} acknowledged writes`)

  const syncs = entries.flatMap((entry, index) => (isSync(entry) ? [index] : []))
  const every = Math.max(1, Math.ceil(syncs.length / moments))
  const counts = [...syncs.filter((_, index) => index % every === every - 1), entries.length]
  const random = createRandom(seed)
  const faults: string[] = []
  let states = 0
  let checks = 0
  for (const [index, count] of counts.entries()) {
    // Alternately: nothing that was not synced survives, or half of it.
    const chance = index % 2 === 0 ? () => false : () => random() < 0.5
    const folder = join(home, "crashed")
    materialise(crashState(entries, { count, root: disk.folder, base, chance }), folder)
    states++
    const found = await check(folder, { count, checkout }, expectedAt(acknowledged, count))
    checks += found.checks
    for (const fault of found.faults) {
      faults.push(`after ${count} calls${index % 2 === 0 ? "" : " (half)"}: ${fault}`)
      log(faults.at(-1) ?? "")
    }
  }
  return { calls: entries.length, acknowledged: acknowledged.length, states, checks, faults }
}

/** Returns, for each subject, what a reader may see: the last acknowledged write, or one that was under way. */
function expectedAt(acknowledged: readonly Acknowledged[], count: number): readonly (readonly Acknowledged[])[] {
  const subjects = Map.groupBy(acknowledged, ({ subject }) => subject)
  return [...subjects.values()].flatMap((writes) => {
    const last = writes.findLastIndex(({ ended }) => ended <= count)
    if (last === -1) return []
    return [writes.slice(last).filter(({ begun }, index) => index === 0 || begun <= count)]
  })
}

function materialise({ folders, files }: CrashState, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  for (const path of folders) mkdirSync(join(folder, path))
  const times: string[] = []
  for (const { path, bytes, changed } of files) {
    writeFileSync(join(folder, path), bytes, { mode: 0o600 })
    if (changed !== "") times.push(`touch -h -d @${changed} '${join(folder, path)}'`)
  }
  // Node has no times with nanoseconds, by which digests are found.
  const { status, stderr } = spawnSync("sh", { input: times.join("\n"), encoding: "utf8" })
  if (status !== 0) throw new Error(`The times of the files could not be set: ${stderr}`)
}

async function check(
  folder: string,
  { count, checkout }: { readonly count: number; readonly checkout: string | undefined },
  expected: readonly (readonly Acknowledged[])[],
): Promise<{ readonly checks: number; readonly faults: readonly string[] }> {
  let server
  try {
    server = await startOnDisk(folder, { checkout })
  } catch (error) {
    return { checks: 1, faults: [`the server does not start: ${String(error).slice(0, 500)}`] }
  }
  const faults: string[] = []
  for (const possible of expected) {
    const wrong: string[] = []
    for (const { read, check: isRight, ended } of possible) {
      const what = isRight(await read(server.send), ended <= count)
      if (what === undefined) {
        wrong.length = 0
        break
      }
      wrong.push(what)
    }
    if (wrong.length > 0) faults.push(`${possible[0]?.subject}: ${wrong.join(", or ")}`)
  }
  await server.kill()
  return { checks: expected.length, faults }
}

/** Returns a generator of numbers from 0 to 1. Source: Mulberry32 by Tommy Ettinger, public domain. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
