import { AssayError, printable } from "@assay/schemas"
import { parseIndexList } from "./index-list.ts"

/** The variables in which engines tell a process which one of several it is, in the order in which they are looked at. */
const INDEX_VARIABLES = [
  "SLURM_ARRAY_TASK_ID",
  "JOB_COMPLETION_INDEX",
  "AWS_BATCH_JOB_ARRAY_INDEX",
  "NEL_SHARD_IDX",
] as const

export interface GivenIndexes {
  /** The shard. */
  readonly index?: number | undefined
  /** The shards of an engine that counts its processes from 0, such as `0-4,7`. Process `n` runs the entry `n` of the list. */
  readonly indexes?: string | undefined
}

/**
 * Returns the index of the shard that this process has to run: the given one, that of its engine, or the entry of a list that the index of its
 * engine names.
 * @throws `bad_usage`
 */
export function indexOfShard(
  { index: given, indexes: list }: GivenIndexes,
  env: Readonly<Record<string, string | undefined>>,
): number {
  if (given !== undefined && list !== undefined) {
    throw new AssayError("bad_usage", "--index and --indexes exclude each other: give one of them.")
  }
  if (given !== undefined) return given
  const { variable, value } = indexOfEngine(env)
  if (list === undefined) return value
  const indexes = parseIndexList(list)
  const index = indexes[value]
  if (index !== undefined) return index
  const message = `${variable} is ${value}, and --indexes has ${indexes.length} entries, which are counted from 0: give as many as the engine has processes.`
  throw new AssayError("bad_usage", message)
}

function indexOfEngine(env: Readonly<Record<string, string | undefined>>) {
  for (const variable of INDEX_VARIABLES) {
    const value = env[variable] ?? ""
    if (value === "") continue
    if (/^\d{1,9}$/.test(value)) return { variable, value: Number(value) }
    throw new AssayError(
      "bad_usage",
      `${variable} is '${printable(value)}', which is not the index of a shard: give --index.`,
    )
  }
  const message = `Which shard? Give --index, or run it by an engine that sets ${INDEX_VARIABLES.slice(0, -1).join(", ")} or ${INDEX_VARIABLES.at(-1)}.`
  throw new AssayError("bad_usage", message)
}
