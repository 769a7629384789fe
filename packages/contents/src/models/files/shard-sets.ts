import type { StoredFile } from "@assay/storage"

/** Files that are parts of one set, by what their names say. */
export interface ShardSet {
  /** The name without number and ending. */
  readonly name: string
  readonly files: readonly StoredFile[]
  readonly bytes: number
  /** Names of parts that are not there. */
  readonly missing: readonly string[]
}

const SHARD = /^(.*)-(\d+)-of-(\d+)(\.[a-z]+)$/
/** More parts than any set has: a name that promises them lies. */
const MAX_PARTS = 100_000

/** Puts together what is numbered `…-00001-of-00003…`; every other file is a set of its own. */
export function shardSets(files: ReadonlyMap<string, StoredFile>): readonly ShardSet[] {
  const sets = new Map<string, { name: string; names: string[]; expected: readonly string[] }>()
  for (const name of files.keys()) {
    const [, stem, number, total = "", ending] = SHARD.exec(name) ?? []
    if (stem === undefined || number === undefined || Number(total) > MAX_PARTS) {
      sets.set(name, { name: name.replace(/\.[a-z]+$/, ""), names: [name], expected: [] })
      continue
    }
    const key = `${stem}-of-${total}${ending}`
    const known = sets.get(key)
    if (known !== undefined) known.names.push(name)
    else {
      const nameOf = (part: number) => `${stem}-${String(part).padStart(number.length, "0")}-of-${total}${ending}`
      const expected = Array.from({ length: Number(total) }, (_, index) => nameOf(index + 1))
      sets.set(key, { name: stem, names: [name], expected })
    }
  }
  return [...sets.values()].map(({ name, names, expected }) => {
    const own = names.toSorted().flatMap((one) => files.get(one) ?? [])
    const bytes = own.reduce((sum, file) => sum + file.size, 0)
    return { name, files: own, bytes, missing: expected.filter((one) => !files.has(one)) }
  })
}
