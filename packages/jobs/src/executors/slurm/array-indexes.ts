/** Formats indexes as `--array` of sbatch takes them: `0-3,7`. @param indexes ascending, without repetition */
export function formatIndexes(indexes: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const index of indexes) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] + 1 === index) range[1] = index
    else ranges.push([index, index])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",")
}

/** The largest index that is read. A text of Slurm can't make this process count for long. */
const MAX_INDEX = 4_000_000

/**
 * Reads indexes as Slurm prints them: `5`, `[4-7%2]`, `0-1,3-9:2`. Slurm cuts long lists with `...`: what is missing is left out. So is what is
 * not an index.
 */
export function parseIndexes(text: string): readonly number[] {
  const found: number[] = []
  const list = text.replace(/^\[/, "").replace(/\]$/, "").replace(/%\d+$/, "")
  for (const part of list.split(",")) {
    const [, from, to = from, by = "1"] = /^(\d{1,7})(?:-(\d{1,7})(?::(\d{1,7}))?)?$/.exec(part) ?? []
    if (from === undefined) continue
    const step = Math.max(1, Number(by))
    for (let index = Number(from); index <= Math.min(Number(to), MAX_INDEX); index += step) found.push(index)
  }
  return found
}

/** A part of the shards that is one array of Slurm. */
export interface ArrayPart {
  /** Number of the shard that has the index 0 in the array. */
  readonly offset: number
  /** The indexes in the array, ascending. */
  readonly indexes: readonly number[]
}

/** Cuts shards into arrays whose indexes are below `maxArraySize` of the cluster. @param shards ascending */
export function cutIntoArrays(shards: readonly number[], maxArraySize: number): readonly ArrayPart[] {
  const parts = Map.groupBy(shards, (shard) => Math.floor(shard / maxArraySize) * maxArraySize)
  return [...parts].map(([offset, inside]) => ({ offset, indexes: inside.map((shard) => shard - offset) }))
}
