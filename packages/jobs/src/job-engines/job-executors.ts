import { isAbsolute, resolve } from "node:path"
import { isObject } from "@assay/json"
import { AssayError, type EvaluationJob, printable } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { readLocalText, type RemoteContext } from "@assay/storage"
import {
  openRunStore,
  type RunStore,
  type EnginePorts,
  type EngineRun,
  engineRuns,
  type ExecutorProfile,
} from "@assay/executors"
import type { JobKeys } from "../launch/job-keys.ts"

/** An engine that the jobs of a server can name. */
export interface JobExecutor extends ExecutorProfile {
  readonly name: string
  readonly place: string
  /** The words that start `assay` where shards run. */
  readonly program: readonly string[]
  /** Number of processor cores of this machine, the default number of shards of `local`. */
  readonly cores: number
  /** Opens the folder or bucket of a job, which is below the place of the executor. Nothing is read yet. */
  openStore(job: Pick<EvaluationJob, "id" | "namespace">): Promise<RunStore>
  /** Opens the run of a job. @param keys the keys that its shards need; absent: no shard is submitted */
  openRun(store: RunStore, keys?: KeysOfShards): EngineRun
}

/** The keys that shards get, by the variables that contain them. */
export interface KeysOfShards extends Pick<JobKeys, "hosts"> {
  readonly values: Readonly<Record<string, string>>
}

/** The engines of a server: the profiles with a place in the file that `ASSAY_EXECUTORS` names. */
export interface JobExecutors {
  find(name: string): JobExecutor | undefined
  readonly names: readonly string[]
  /** The folders of this machine in which runs are. */
  readonly folders: readonly string[]
}

/** The parts of the process of a server that the engines of jobs need. */
export interface JobExecutorsPorts extends Omit<EnginePorts, "program" | "options" | "keys"> {
  /** The words that started this process, if it is `assay`. */
  readonly program: readonly string[] | undefined
  readonly randomBytes: (size: number) => Uint8Array
  readonly openRemote: () => RemoteContext
}

const SETTING = "ASSAY_EXECUTORS"

/**
 * Reads the engines of a server from a file of profiles, which is that of the command line. A profile without a `place` is for the command line only.
 * @param file a path, relative to the working folder
 * @throws `bad_settings` with file, line, name and key
 */
export async function openJobExecutors(file: string, given: JobExecutorsPorts): Promise<JobExecutors> {
  const ports = { ...given, env: { ...given.env, [SETTING]: file } }
  const found = new Map<string, JobExecutor>()
  try {
    for (const name of await profileNames(file, ports.cwd)) {
      const profile = await engineRuns.profile({ profile: name, cwd: ports.cwd, env: ports.env })
      if (profile.place !== undefined)
        found.set(name, createJobExecutor(profile, { name, place: profile.place, ports }))
    }
  } catch (error) {
    throw new AssayError("bad_settings", `${SETTING}: ${messageOf(error)}`, { cause: error })
  }
  if (found.size === 0) {
    const message = `${SETTING}: no profile of ${printable(file)} has a 'place', the folder or bucket in which jobs of a server keep their runs.`
    throw new AssayError("bad_settings", message)
  }
  const places = [...found.values()].map(({ place }) => place)
  const folders = [...new Set(places)].filter((place) => isAbsolute(place))
  return { find: (name) => found.get(name), names: [...found.keys()], folders }
}

const NO_KEYS: KeysOfShards = { values: {}, hosts: [] }

async function profileNames(file: string, cwd: string): Promise<readonly string[]> {
  const { parseYaml } = await import("@assay/validation")
  const { value } = parseYaml(await readLocalText(resolve(cwd, file)), file)
  const profiles = isObject(value) ? value["profiles"] : undefined
  if (isObject(profiles)) return Object.keys(profiles)
  throw new AssayError("bad_document", `${printable(file)} needs 'profiles', an object of profiles by name.`)
}

interface PlacedProfile {
  readonly name: string
  readonly place: string
  readonly ports: JobExecutorsPorts
}

/** @throws `bad_document` for a profile that only the command line can use */
function createJobExecutor(profile: ExecutorProfile, { name, place, ports }: PlacedProfile): JobExecutor {
  const where = `profile '${printable(name)}'`
  if (!isAbsolute(place) && !/^s3:\/\/[^/]/.test(place)) {
    const message = `${where}: 'place': '${printable(place)}' is not an absolute path, and not a bucket as s3://bucket/prefix.`
    throw new AssayError("bad_document", message)
  }
  const program = profile.program ?? ports.program
  if (program === undefined) {
    const message = `${where}: 'program' is missing: this server was not started by \`assay\`, so write the words that start it, such as [node, /opt/assay/main.js].`
    throw new AssayError("bad_document", message)
  }
  return {
    ...profile,
    name,
    place,
    program,
    cores: ports.cores,
    openStore: ({ id, namespace }) => openRunStore(`${place.replace(/\/+$/, "")}/${namespace}/${id}`, ports),
    openRun: (store, { values, hosts } = NO_KEYS) =>
      engineRuns.open(store, {
        ...ports,
        env: { ...ports.env, ...values },
        keys: values,
        program,
        options: hosts.flatMap((host) => ["--key-host", host]),
      }),
  }
}
