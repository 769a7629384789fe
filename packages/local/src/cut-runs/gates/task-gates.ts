import { earlyGates, type TaskPlan } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import type { LaneRange } from "@assay/executors"
import { fromUnit, PART_UNITS, type PartOfLane, toUnit, type UnitValues } from "./gate-values.ts"

type EarlyEnd = NonNullable<TaskPlan["early"]>
type GateBasis = Parameters<typeof earlyGates.createWatch>[2]

/** A task of a shard that its gates can end, as the rows of all shards decide them. */
export interface TaskGates {
  readonly task: string
  /** Notes a unit of this shard that is done. */
  note(row: EvaluationRow): void
  /** Forgets all units of this shard. */
  forget(): void
  /** Forgets the failed units of this shard, because the next process asks them again. */
  forgetFailed(): void
  /** Returns the parts of this shard that have changed since the last call. */
  changed(): readonly ChangedPart[]
  /** Marks a part of this shard as changed. */
  touch(part: number): void
  /** Takes the values of a part that is in the run, whoever wrote it. */
  take(part: PartOfLane, units: UnitValues): void
  /** Returns whether all gates are decided by the values in the run. */
  areDecided(): boolean
}

interface ChangedPart {
  readonly part: PartOfLane
  readonly units: UnitValues
}

export interface TaskGatesOptions extends GateBasis {
  readonly shard: number
  readonly task: string
  /** The number of the task among those that their gates can end. */
  readonly number: number
  readonly gates: EarlyEnd["gates"]
  readonly repeats: number
  /** The rows of the task by shard. */
  readonly lanes: ReadonlyMap<number, LaneRange>
}

/** Memory: 8 bytes for each gate and unit of all shards, besides that of the watch. */
export function createTaskGates(options: TaskGatesOptions): TaskGates {
  const { shard, task, number, order, repeats, lanes } = options
  const own = lanes.get(shard)
  const parts: UnitValues[] = []
  const failed = new Set<number>()
  const dirty = new Set<number>()
  const decision = createDecision(options)

  const set = (unit: number, value: UnitValues[number]): void => {
    const at = Math.floor(unit / PART_UNITS)
    const units = (parts[at] ??= [])
    while (units.length < unit % PART_UNITS) units.push(0)
    units[unit % PART_UNITS] = value
    dirty.add(at)
  }
  return {
    task,
    note(row) {
      const position = order.positionOf(row.row_index)
      if (own === undefined || position === undefined || row.task !== task) return
      const unit = ((position - own.firstPosition) / own.step) * repeats + row.repeat
      if (!Number.isInteger(unit) || unit < 0) return
      set(unit, toUnit(decision.valuesOf(row)))
      if (row.error === null) failed.delete(unit)
      else failed.add(unit)
    },
    forget() {
      for (const part of parts.keys()) dirty.add(part)
      parts.length = 0
      failed.clear()
    },
    forgetFailed() {
      for (const unit of failed) set(unit, 0)
    },
    changed() {
      const found = [...dirty].map((part) => ({
        part: { shard, task: number, part },
        // Rows that are added meanwhile belong to the next call.
        units: [...(parts[part] ?? [])],
      }))
      dirty.clear()
      return found
    },
    touch: (part) => void dirty.add(part),
    take: (part, units) => {
      if (part.task === number) decision.take(part, units)
    },
    areDecided: () => decision.isDecided(),
  }
}

/** Marks a unit that is not done. Scores are finite. */
const NOT_DONE = Number.POSITIVE_INFINITY

/** Decides gates by the units in a run. A unit can disappear, because it is asked again: then all are counted anew. */
function createDecision({ gates, repeats, lanes, ...basis }: TaskGatesOptions) {
  const create = () => earlyGates.createWatch({ metrics: [], repeats }, gates, basis, () => {})
  const width = Math.max(1, gates.length)
  const seen = new Map<string, { readonly part: PartOfLane; readonly values: Float64Array }>()
  let watch = create()
  let isStale = false

  const add = ({ shard, part }: PartOfLane, values: Float64Array, before?: Float64Array): void => {
    const lane = lanes.get(shard)
    if (lane === undefined) return
    for (let at = 0; at < values.length; at += width) {
      if (values[at] === NOT_DONE || (before?.[at] ?? NOT_DONE) !== NOT_DONE) continue
      const unit = part * PART_UNITS + at / width
      const position = lane.firstPosition + Math.floor(unit / repeats) * lane.step
      if (position >= lane.endPosition) return
      const found = Array.from(values.subarray(at, at + width), (value) => (Number.isNaN(value) ? undefined : value))
      watch.addValues(position, unit % repeats, found)
    }
  }
  return {
    valuesOf: (row: EvaluationRow) => watch.valuesOf(row),
    take(part: PartOfLane, units: UnitValues): void {
      const key = `${part.shard} ${part.part}`
      const before = seen.get(key)?.values
      const values = pack(units, width)
      seen.set(key, { part, values })
      if (before !== undefined && !isContinued(before, values, width)) isStale = true
      if (!isStale) add(part, values, before)
    },
    isDecided(): boolean {
      if (isStale) {
        watch = create()
        isStale = false
        for (const { part, values } of seen.values()) add(part, values)
      }
      return watch.isDecided
    },
  }
}

function pack(units: UnitValues, width: number): Float64Array {
  const values = new Float64Array(units.length * width).fill(NOT_DONE)
  for (const [at, unit] of units.entries()) {
    if (unit === 0 || unit.length !== width) continue
    for (const [gate, value] of fromUnit(unit).entries()) values[at * width + gate] = value ?? Number.NaN
  }
  return values
}

/** Returns whether all units that were done are done with the same values. */
function isContinued(before: Float64Array, values: Float64Array, width: number): boolean {
  return before.every((value, at) => before[at - (at % width)] === NOT_DONE || Object.is(value, values[at]))
}
