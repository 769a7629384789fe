import { addBit, addBits, type BitSet, countUnion, createBitSet, hasBit, removeBit, shareOthers } from "./bit-set.ts"

/** A file of a program before files are merged. */
export interface ProgramFile {
  readonly name: string
  /** In characters. */
  readonly size: number
  /** The files that it needs before it runs. They form no cycle. */
  readonly imports: readonly string[]
  /** Whether the program begins with it, or loads it by `import()`. */
  readonly isEntry: boolean
  /** The files whose modules it loads by `import()`. They stay apart from it, so that they are loaded later. Default: none. */
  readonly later?: readonly string[]
}

/** A file, or several that become one. All sets are sets of indexes in the list of files. */
interface MergedFile {
  readonly index: number
  readonly isEntry: boolean
  names: readonly string[]
  size: number
  /** The entries that load it. */
  readonly entries: BitSet
  /** The names of files that it loads later. */
  later: readonly string[]
  /** All files that it needs, and all that need it. */
  readonly needs: BitSet
  readonly users: BitSet
}

interface Pair {
  readonly one: MergedFile
  readonly other: MergedFile
  /** The cost of its merge, in characters. Negative: it saves time. */
  readonly cost: number
}

/** Approximate number of characters of code that Node loads in the time of resolving, reading and linking a file. */
const CHARACTERS_PER_FILE = 20_000

/**
 * Returns groups of files that load faster as one file each. Two files are merged if the entries that load both save more than other
 * entries lose by code that they do not need. The imports of merged files form no cycle. Files of entries stay as they are.
 */
export function mergeFiles(files: readonly ProgramFile[]): readonly (readonly string[])[] {
  const merged = describeFiles(files)
  for (let pair = bestPair(merged); pair !== undefined; pair = bestPair(merged)) {
    merge(pair, merged)
    merged.splice(merged.indexOf(pair.other), 1)
  }
  return merged.map(({ names }) => names).filter(({ length }) => length > 1)
}

function describeFiles(files: readonly ProgramFile[]): MergedFile[] {
  const indexes = new Map(files.map(({ name }, index) => [name, index]))
  const described = files.map(({ name, size, isEntry, later = [] }, index): MergedFile => {
    const [entries, needs, users] = [files.length, files.length, files.length].map(createBitSet)
    return { index, isEntry, names: [name], size, later, entries, needs, users } as MergedFile
  })
  for (const file of described) {
    const waiting = [...(files[file.index]?.imports ?? [])]
    if (file.isEntry) addBit(file.entries, file.index)
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const index = indexes.get(name)
      const needed = index === undefined ? undefined : described[index]
      if (needed === undefined || hasBit(file.needs, needed.index)) continue
      addBit(file.needs, needed.index)
      addBit(needed.users, file.index)
      if (file.isEntry) addBit(needed.entries, file.index)
      waiting.push(...(files[needed.index]?.imports ?? []))
    }
  }
  return described
}

function bestPair(files: readonly MergedFile[]): Pair | undefined {
  let best: Pair | undefined
  const shared = files.filter(({ isEntry }) => !isEntry).map((file) => ({ file, loads: loadsOf(file) }))
  for (const [at, { file: one, loads }] of shared.entries()) {
    for (const { file: other, loads: otherLoads } of shared.slice(at + 1)) {
      const together = countUnion(one.entries, other.entries, one.entries)
      const saved = CHARACTERS_PER_FILE * (loads + otherLoads - together)
      const lost = one.size * (together - loads) + other.size * (together - otherLoads)
      if (saved <= lost || lost - saved >= (best?.cost ?? 0)) continue
      if (isCycle(one, other) || isLoadedLater(one, other)) continue
      const cost = lost - saved + (lost === 0 ? 0 : costOfNeeds(one, other, files))
      if (cost < (best?.cost ?? 0)) best = { one, other, cost }
    }
  }
  return best
}

function loadsOf({ entries }: MergedFile): number {
  return countUnion(entries, entries, entries)
}

/** Returns whether one of two files needs the other one through a third. */
function isCycle(one: MergedFile, other: MergedFile): boolean {
  const both = [one.index, other.index] as const
  return shareOthers(one.needs, other.users, both) || shareOthers(other.needs, one.users, both)
}

/** Returns whether one of two files loads a module of the other one by `import()`, which would then not be later. */
function isLoadedLater(one: MergedFile, other: MergedFile): boolean {
  const loads = (from: MergedFile, to: MergedFile) => from.later.some((name) => to.names.includes(name))
  return loads(one, other) || loads(other, one)
}

/** Returns what entries load more because they load what either of two files needs. */
function costOfNeeds(one: MergedFile, other: MergedFile, files: readonly MergedFile[]): number {
  let cost = 0
  for (const needed of files) {
    if (needed === one || needed === other) continue
    if (!hasBit(one.needs, needed.index) && !hasBit(other.needs, needed.index)) continue
    const more = countUnion(needed.entries, one.entries, other.entries) - loadsOf(needed)
    cost += more * (needed.size + CHARACTERS_PER_FILE)
  }
  return cost
}

/** Adds a file to another one. */
function merge({ one, other }: Pair, files: readonly MergedFile[]): void {
  one.names = [...one.names, ...other.names]
  one.size += other.size
  one.later = [...one.later, ...other.later]
  for (const set of ["entries", "needs", "users"] as const) addBits(one[set], other[set])
  for (const set of [one.needs, one.users]) for (const { index } of [one, other]) removeBit(set, index)
  for (const file of files) {
    if (file === one || file === other) continue
    for (const set of ["needs", "users"] as const) {
      const isIn = hasBit(file[set], one.index) || hasBit(file[set], other.index)
      removeBit(file[set], other.index)
      if (!isIn) continue
      addBit(file[set], one.index)
      addBits(file[set], one[set])
    }
    if (hasBit(one.needs, file.index)) addBits(file.entries, one.entries)
  }
}
