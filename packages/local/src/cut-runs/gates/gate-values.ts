import { type Static, Type } from "@sinclair/typebox"
import { deleteAll, type FilePath, parseFilePath } from "@assay/storage"
import type { earlyGates } from "@assay/evaluation"
import { createChangedFiles, listFiles, readRecord, type RunStore, writeJson } from "@assay/executors"

type GateValues = ReturnType<ReturnType<typeof earlyGates.createWatch>["valuesOf"]>

/** Units of a task in one file. A file that is full does not change any more. */
export const PART_UNITS = 4096
/** Gates of a job. */
const MAX_GATES = 1000

const Units = Type.Array(
  Type.Union([Type.Literal(0), Type.Array(Type.Union([Type.Number(), Type.Null()]), { maxItems: MAX_GATES })]),
  { maxItems: PART_UNITS },
)
const ValuesPart = Type.Object({ units: Units })

/**
 * The values of some units of a shard that count, by gate: 0 for a unit that is not done, and null for a value that it does not have. The record
 * `values/00007-0-1.json` of a run has the second part of its first task.
 */
export type UnitValues = Static<typeof Units>

/** The units of one part, which are in the order of the lane of its shard. */
export interface PartOfLane {
  readonly shard: number
  /** The number of the task among those that their gates can end. */
  readonly task: number
  /** From 0. */
  readonly part: number
}

export function toUnit(values: GateValues): UnitValues[number] {
  return values.map((value) => (value === undefined || !Number.isFinite(value) ? null : value))
}

export function fromUnit(unit: Exclude<UnitValues[number], 0>): GateValues {
  return unit.map((value) => value ?? undefined)
}

const FOLDER = "values/"

function prefixOf(shard: number): string {
  return `${FOLDER}${String(shard).padStart(5, "0")}-`
}

function pathOf({ shard, task, part }: PartOfLane): FilePath {
  return parseFilePath(`${prefixOf(shard)}${task}-${part}.json`)
}

function parsePath(path: string): PartOfLane | undefined {
  const [, shard, task, part] = /^values\/(\d{5,6})-(\d{1,6})-(\d{1,7})\.json$/.exec(path) ?? []
  return shard === undefined ? undefined : { shard: Number(shard), task: Number(task), part: Number(part) }
}

/** Writes the values of a part. */
export async function writeValues(store: RunStore, part: PartOfLane, units: UnitValues): Promise<void> {
  await writeJson(store, pathOf(part), { units })
}

/** Lists the parts that a shard has written. */
export async function listParts(store: RunStore, shard: number): Promise<readonly PartOfLane[]> {
  const files = await listFiles(store, prefixOf(shard))
  return files.flatMap(({ path }) => parsePath(path) ?? [])
}

/** Removes the values of a shard, which its next process writes again. */
export async function removeValues({ storage }: RunStore, shard: number): Promise<void> {
  await deleteAll(storage, { prefix: prefixOf(shard) })
}

/** The values of all shards. */
export interface AllValues {
  /** Calls `onPart` for each part that has changed since the last time. */
  read(onPart: (part: PartOfLane, units: UnitValues) => void, signal?: AbortSignal): Promise<void>
}

/** Opens the values of all shards but one, which are read again and again. A part that can't be read is tried again the next time. */
export function openAllValues(store: RunStore, own: number): AllValues {
  let found: (part: PartOfLane, units: UnitValues) => void = () => {}
  const files = createChangedFiles(async (path) => {
    const part = parsePath(path)
    const record = await readRecord(store, path, ValuesPart)
    if (part === undefined || record === undefined) return undefined
    found(part, record.units)
    // `onPart` has the values: they are not kept twice.
    return true
  })
  return {
    async read(onPart, signal) {
      found = onPart
      const listed = await listFiles(store, FOLDER, signal)
      const others = listed.filter(({ path }) => parsePath(path)?.shard !== own)
      await files.read(others, signal)
    },
  }
}
