import { AssayError, printable } from "@assay/schemas"

/** The variables in which engines tell a process which one of several it is, in the order in which they are looked at. */
export const INDEX_VARIABLES = [
  "SLURM_ARRAY_TASK_ID",
  "JOB_COMPLETION_INDEX",
  "AWS_BATCH_JOB_ARRAY_INDEX",
  "NEL_SHARD_IDX",
] as const

/** Returns the index of the shard that this process has to run: the given one, or that of its engine. @throws `bad_usage` */
export function indexOfShard(given: number | undefined, env: Readonly<Record<string, string | undefined>>): number {
  if (given !== undefined) return given
  for (const variable of INDEX_VARIABLES) {
    const value = env[variable] ?? ""
    if (value === "") continue
    if (/^\d{1,9}$/.test(value)) return Number(value)
    throw new AssayError(
      "bad_usage",
      `${variable} is '${printable(value)}', which is not the index of a shard: give --index.`,
    )
  }
  const message = `Which shard? Give --index, or run it by an engine that sets ${INDEX_VARIABLES.slice(0, -1).join(", ")} or ${INDEX_VARIABLES.at(-1)}.`
  throw new AssayError("bad_usage", message)
}
