import { AssayError, printable } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { createFolder } from "@assay/storage"
import { type ArrayPart } from "./array-indexes.ts"
import { callSlurm, slurmFailed } from "./call-slurm.ts"
import { dependencyOn, SBATCH } from "./render-submission.ts"
import { parseJobId, type SlurmJobId } from "./slurm-job-id.ts"

type Environment = Readonly<Record<string, string | undefined>>

export interface ScriptsToSubmit {
  readonly arrays: readonly { readonly part: ArrayPart; readonly script: string }[]
  readonly isChained: boolean
  readonly merge: string | undefined
  readonly logFolder: string
  readonly env: Environment
  readonly signal: AbortSignal
}

/**
 * Submits arrays, and a merge after them. If one is refused, those before are cancelled.
 * @returns the ids of the jobs, that of the merge last
 * @throws `executor_failed`; the reason of the signal
 */
export async function submitScripts(
  { arrays, isChained, merge, logFolder, env, signal }: ScriptsToSubmit,
  cancel: (jobs: readonly SlurmJobId[]) => Promise<void>,
): Promise<readonly SlurmJobId[]> {
  await createLogFolder(logFolder)
  const submitted: SlurmJobId[] = []
  const submit = async (script: string, after: readonly SlurmJobId[], offset: number) => {
    signal.throwIfAborted()
    const jobs = after.map(({ job }) => job)
    submitted.push({ ...(await callSbatch(script, dependencyOn(jobs), env)), offset })
  }
  try {
    for (const { part, script } of arrays) await submit(script, isChained ? submitted.slice(-1) : [], part.offset)
    if (merge !== undefined) await submit(merge, [...submitted], 0)
    signal.throwIfAborted()
  } catch (error) {
    await cancel(submitted).catch((cause: unknown) => {
      const why = signal.aborted ? "" : `${messageOf(error).replace(/\.$/, "")}. `
      const jobs = submitted.map(({ job }) => job).join(" ")
      const message = `${why}The jobs ${jobs} were submitted before, and could not be cancelled: end them with \`scancel\`. ${messageOf(cause)}`
      throw new AssayError("executor_failed", message, { cause })
    })
    throw error
  }
  return submitted
}

/** Slurm does not create folders of output files: tasks would fail and say nothing. */
async function createLogFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder, { durable: false })
  } catch (cause) {
    const message = `The folder of output files '${printable(folder)}' can't be created: set \`log_folder\` in the Slurm profile to one that can.`
    throw new AssayError("executor_failed", message, { cause })
  }
}

/** Runs sbatch to its end: if it were killed, nobody would know whether the job exists. */
async function callSbatch(script: string, options: readonly string[], env: Environment): Promise<SlurmJobId> {
  const output = await callSlurm([...SBATCH, ...options], { env, input: script })
  if (output.exitCode !== 0) throw slurmFailed("sbatch", output)
  // Plugins of a site can print more lines.
  const id = output.stdout.split("\n").find((line) => /^\d+(?:;|$)/.test(line.trim()))
  if (id === undefined) throw slurmFailed("sbatch", output)
  return parseJobId(id.trim())
}
