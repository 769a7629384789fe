import { AssayError } from "@assay/schemas"
import { callSlurm } from "./call-slurm.ts"

/** The default of Slurm. Indexes of an array are smaller. */
const DEFAULT = 1001

/**
 * Returns the limit of the indexes of an array. It is the default of Slurm if the cluster can't be asked, because a text is also rendered on other
 * machines.
 * @throws `executor_failed` if the cluster has no arrays; the reason of the signal
 */
export async function readMaxArraySize(
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<number> {
  const output = await callSlurm(["scontrol", "show", "config"], { env, signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (error instanceof AssayError) return undefined
    throw error
  })
  const [, size] = /^MaxArraySize\s*=\s*(\d{1,9})\s*$/m.exec(output?.stdout ?? "") ?? []
  if (size === undefined) return DEFAULT
  // 0 and 1 allow no array of two tasks, and 1 no task but that with the index 0.
  if (Number(size) > 0) return Number(size)
  const message =
    "The cluster has no job arrays (MaxArraySize is 0): ask its administrators, or run the shards with another executor."
  throw new AssayError("executor_failed", message)
}
