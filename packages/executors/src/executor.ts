/** The shards of a run that an executor has to run, and the commands that do it. */
export interface ShardWork {
  /** The folder or bucket of the run, as its processes name it: an absolute path, or `s3://bucket/prefix`. */
  readonly run: string
  /** Id of the job. */
  readonly id: string
  /** Name of the run, for the lists of the engine. Letters, digits, `.`, `_` and `-`. */
  readonly name: string
  /** Number of shards of the run. */
  readonly count: number
  /** The shards to run, ascending. */
  readonly indexes: readonly number[]
  /** Maximum number of shards that run at the same time. */
  readonly atOnce: number
  /** The words that start `assay` where shards run, such as `["assay"]` or `["node", "/opt/assay/main.js"]`. */
  readonly program: readonly string[]
  /** Further words of `eval shard` and `eval merge`, such as `["--key-host", "models.example"]`. */
  readonly options: readonly string[]
  /** Whether the engine also merges the results. */
  readonly merges: boolean
  /** How often missing shards are submitted again. */
  readonly retries: number
}

/** The submission that an engine received. It is stored in the run, so that any process can follow and cancel it. */
export interface Submission {
  /** The ids by which the engine knows the work, the shards first. */
  readonly ids: readonly string[]
  readonly indexes: readonly number[]
  /** Whether the engine also merges the results when the shards have ended. */
  readonly merges: boolean
  /** Absolute path of the folder with what the processes write, if the engine was given one. */
  readonly logs?: string | undefined
}

/** A shard, as its engine shows it. */
export interface ShardProcess {
  readonly index: number
  /** `ended`: no process of it runs any more, and none will be started by the engine. */
  readonly state: "waiting" | "running" | "ended"
  /** The machine or pod that runs it, or ran it last. */
  readonly location?: string | undefined
  /** The engine's own word for its state, such as `OUT_OF_MEMORY`. */
  readonly reason?: string | undefined
  /** Whether it ended because its engine did, and not because it failed as often as it may. Default false. */
  readonly isInterrupted?: boolean | undefined
  /** Whether it can't succeed, however often it is started: its program does not exist. Default false. */
  readonly isHopeless?: boolean | undefined
}

/** An engine that starts processes: this machine, a command, Slurm, Kubernetes. It knows nothing of rows. */
export interface Executor {
  /** Returns what `submit` would give to the engine, as a text that a user can read and submit. */
  render(work: ShardWork): Promise<string>
  /** @throws `executor_failed` with what the engine said */
  submit(work: ShardWork, signal: AbortSignal): Promise<Submission>
  /** Whether its processes end with the process that submitted them. Default false. */
  readonly isTied?: boolean
  /** Whether it starts failed processes again by itself, up to `retries` times. Default false: their shards are submitted again. */
  readonly restarts?: boolean
  /**
   * Returns the processes of the shards of a submission. An engine that does not respond is asked again later. A shard that is not listed is one
   * that the engine can't report on: its files alone show what it does. @throws `executor_failed`
   */
  look(submission: Submission, signal: AbortSignal): Promise<readonly ShardProcess[]>
  /** Stops all processes of a submission. Stopping it again does nothing. @throws `executor_failed` */
  cancel(submission: Submission): Promise<void>
  /** Reads what the processes of a shard have written, the last attempt last. Empty if the engine kept nothing. */
  logs(submission: Submission, index: number, signal: AbortSignal): AsyncIterable<string>
}

/** The parts of the process that executors need. */
export interface ExecutorPorts {
  /** Absolute path of the working folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables with keys that all shards get, whichever others they get. Engines that start no processes here ignore them. */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** Waits the given milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}
