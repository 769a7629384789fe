import { readIndexList } from "../run/index-list.ts"

/** Reads indexes as Slurm prints them: `5`, `[4-7%2]`, `0-1,3-9:2`. Slurm cuts long lists with `...`: what is missing is left out. */
export function parseIndexes(text: string): readonly number[] {
  return [...readIndexList(text.replace(/^\[/, "").replace(/\]$/, "").replace(/%\d+$/, ""))]
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
