import { AssayError } from "@assay/schemas"
import type { SlurmProfile } from "./slurm-profile.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that commands of Slurm need to find their cluster. */
const CLIENT: ReadonlySet<string> = new Set(["SLURM_CONF", "SLURM_CONF_SERVER", "SLURM_CLUSTERS", "SLURM_JWT"])

/** Variables of sbatch that would replace lines of the script, and variables that change what squeue, sacct and scancel print or do. */
const OVERRIDES =
  /^(?:SBATCH_(?:ARRAY_INX|DEPENDENCY|ERROR|EXPORT|EXPORT_FILE|GET_USER_ENV|INPUT|JOB_NAME|NO_REQUEUE|OPEN_MODE|OUTPUT|REQUEUE|WAIT)$|SQUEUE_|SACCT_|SCANCEL_)/

/** Variables of sbatch that would replace a key of the profile. */
const OF_KEYS: Readonly<Partial<Record<keyof SlurmProfile, readonly string[]>>> = {
  partition: ["SBATCH_PARTITION"],
  account: ["SBATCH_ACCOUNT"],
  qos: ["SBATCH_QOS"],
  time: ["SBATCH_TIMELIMIT"],
  constraint: ["SBATCH_CONSTRAINT"],
  memory: ["SBATCH_MEM_PER_NODE", "SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU"],
}

/** Variables of shells, locales and modules, without which programs are not found. */
const BASE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|ENV|BASH_ENV|BASH_FUNC_.*|LD_LIBRARY_PATH|MANPATH|MODULE\w*|__MODULES_\w+|LMOD_\w+|_LMFILES_|_ModuleTable\w*|__LMOD_\w+)$/

/** Returns the variables for commands of Slurm. Those of a job in which this process runs, such as its memory, would apply to jobs that it submits. */
export function clientEnvironment(env: Environment): Environment {
  return pick(env, (name) => (name.startsWith("SLURM_") ? CLIENT.has(name) : !OVERRIDES.test(name)))
}

/**
 * Returns the variables for sbatch, which are those of the job: all of them, or those that the profile names, with those that shells and modules
 * need. Values are never in a script. Defaults of a user or site, such as SBATCH_ACCOUNT, apply to keys that the profile does not have.
 * @throws `executor_failed` if a variable that the profile names is not set
 */
export function submissionEnvironment(env: Environment, profile: SlurmProfile): Environment {
  const { pass_environment: passed } = profile
  const replaced = new Set(
    Object.entries(OF_KEYS).flatMap(([key, names]) => (Object.hasOwn(profile, key) ? names : [])),
  )
  const client = pick(clientEnvironment(env), (name) => !replaced.has(name))
  if (passed === undefined) return client
  const missing = passed.filter((name) => client[name] === undefined)
  if (missing.length > 0) {
    const message = `\`pass_environment\` of the Slurm profile names ${missing.join(", ")}, which is not set here: set it, and submit again.`
    throw new AssayError("executor_failed", message)
  }
  return pick(
    client,
    (name) => BASE.test(name) || CLIENT.has(name) || name.startsWith("SBATCH_") || passed.includes(name),
  )
}

function pick(env: Environment, isKept: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)))
}
