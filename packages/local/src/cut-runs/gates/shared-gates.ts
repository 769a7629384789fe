import type { JobEnvironment, TaskPlan } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import {
  isLane,
  type LaneRange,
  laneTasks,
  type ShardPlan,
  type RunStore,
  readDecisions,
  writeDecision,
} from "@assay/executors"
import { listParts, openAllValues, writeValues } from "./gate-values.ts"
import { createTaskGates, type TaskGates, type TaskGatesOptions } from "./task-gates.ts"

/** Milliseconds between two exchanges of a shard. A request to a bucket costs money. */
const FOLDER_MS = 200
const BUCKET_MS = 1000
/** All shards together look for decisions as often each millisecond. */
const LOOKS_PER_MS = 0.5
/** Values that all shards together read each millisecond. A bucket answers about 5,500 requests a second for one prefix. */
const READS_PER_MS = 5

export interface SharedGatesOptions {
  readonly index: number
  readonly plan: ShardPlan
  /** The tasks of the job, with their gates. */
  readonly tasks: readonly TaskPlan[]
  readonly orderOf: (task: string) => TaskGatesOptions["order"]
  /** Makes the rows that were noted durable. */
  readonly flush: () => Promise<void>
  readonly environment: Pick<JobEnvironment, "now" | "sleep" | "inference">
  readonly signal: AbortSignal
}

/**
 * The gates of a run that are decided by the rows of all of its shards. Each shard writes what counts of its rows into the run, after the rows are
 * durable, and reads what the others have written. The first shard that sees that all gates of a task are decided notes it in the run, and all shards end the task.
 */
export interface SharedGates {
  /** Returns whether the gates of a task are decided. */
  isDecided(task: string): boolean
  /** Returns the tasks of this shard whose gates are decided. */
  decided(): readonly string[]
  /** Notes a row of this shard that is done. */
  note(row: EvaluationRow): void
  /** Forgets the rows of this shard. */
  forget(): void
  /** Ends the exchange. @param asksAgain whether the next process asks the failed rows again, so that they don't count */
  end(asksAgain: boolean): Promise<void>
}

/** Begins to share the gates of a shard. @throws the errors of the storage, and of the results with which gates compare */
export async function openSharedGates(store: RunStore, options: SharedGatesOptions): Promise<SharedGates> {
  const { index, environment } = options
  const tasks = await openTasks(options)
  const decided = new Set<string>()
  const open = () => tasks.filter(({ task }) => !decided.has(task))
  const exchange = createExchange(store, { ...options, open, onDecided: (task) => decided.add(task) })
  await exchange.begin()

  const ended = new AbortController()
  const sharers = options.plan.at_once
  const pause = Math.max(store.folder === undefined ? BUCKET_MS : FOLDER_MS, sharers / LOOKS_PER_MS)
  const between = Math.max(pause, sharers ** 2 / READS_PER_MS)
  // Shards take turns, so that one of them soon looks.
  const elapsed = environment.inference.now
  let lookAt = elapsed() + (between * ((index % sharers) + 1)) / sharers
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted && open().length > 0) {
      await environment.sleep(pause, ended.signal).catch(() => {})
      if (ended.signal.aborted) return
      const looks = elapsed() >= lookAt
      if (looks) lookAt = elapsed() + between
      // A storage that does not respond must not end the shard. It asks its rows meanwhile.
      await exchange.step(looks, ended.signal).catch(() => {})
    }
  }
  const running = run()
  return {
    isDecided: (task) => decided.has(task),
    decided: () => [...decided],
    note: (row) => tasks.find(({ task }) => task === row.task)?.note(row),
    forget: () => tasks.forEach((one) => one.forget()),
    async end(asksAgain) {
      ended.abort()
      await running
      if (asksAgain) for (const one of tasks) one.forgetFailed()
      await exchange.write().catch(() => {})
    },
  }
}

async function openTasks(options: SharedGatesOptions): Promise<readonly TaskGates[]> {
  const { index, plan, tasks, orderOf, signal } = options
  const numbers = [...laneTasks(plan)]
  const opened: TaskGates[] = []
  for (const range of plan.shards[index] ?? []) {
    const { early, repeats } = tasks.find(({ name }) => name === range.task) ?? {}
    if (!isLane(range) || early === undefined || repeats === undefined) continue
    const { task } = range
    opened.push(
      createTaskGates({
        shard: index,
        task,
        number: numbers.indexOf(task),
        gates: early.gates,
        repeats,
        order: orderOf(task),
        references: await early.getReferences(signal),
        lanes: lanesOfTask(plan, task),
      }),
    )
  }
  return opened
}

function lanesOfTask({ shards }: ShardPlan, task: string): ReadonlyMap<number, LaneRange> {
  return new Map(
    shards.flatMap((ranges, shard) =>
      ranges.flatMap((range) => (isLane(range) && range.task === task ? [[shard, range] as const] : [])),
    ),
  )
}

interface ExchangeOptions extends SharedGatesOptions {
  /** Returns the tasks whose gates are not decided. */
  readonly open: () => readonly TaskGates[]
  readonly onDecided: (task: string) => void
}

function createExchange(store: RunStore, { index, plan, flush, environment, open, onDecided }: ExchangeOptions) {
  const numbers = [...laneTasks(plan)]
  const others = openAllValues(store, index)

  const findDecisions = async (signal?: AbortSignal): Promise<void> => {
    for (const task of await readDecisions(store, signal)) onDecided(task)
  }
  const write = async (): Promise<void> => {
    const changed = open().flatMap((task) => task.changed().map((one) => ({ ...one, task })))
    if (changed.length === 0) return
    try {
      // A row that was lost would be asked again, and could get another value.
      await flush()
      for (const { task, part, units } of changed) {
        await writeValues(store, part, units)
        task.take(part, units)
      }
    } catch (error) {
      for (const { task, part } of changed) task.touch(part.part)
      throw error
    }
  }
  const read = async (signal: AbortSignal): Promise<void> => {
    const tasks = open()
    await others.read((part, units) => tasks.forEach((one) => one.take(part, units)), signal)
  }
  return {
    /** Finds what is decided already, and what earlier processes of the shard have written. */
    async begin(): Promise<void> {
      const tasks = open()
      if (tasks.length === 0) return
      await findDecisions()
      for (const { part, task } of await listParts(store, index)) {
        tasks.find((one) => numbers.indexOf(one.task) === task)?.touch(part)
      }
    },
    write,
    /** Looks for decisions, writes what has changed, and decides. @param looks whether it reads the values of the others */
    async step(looks: boolean, signal: AbortSignal): Promise<void> {
      await findDecisions(signal)
      await write()
      if (looks) await read(signal)
      if (!open().some((one) => one.areDecided())) return
      // Values can have been withdrawn since they were read.
      await read(signal)
      for (const { task } of open().filter((one) => one.areDecided())) {
        await writeDecision(store, numbers.indexOf(task), { task, shard: index, at: environment.now() })
        onDecided(task)
      }
    },
  }
}
