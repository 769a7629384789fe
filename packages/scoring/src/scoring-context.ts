import type { SchemaRunner } from "@assay/contents"
import type { InferenceContext } from "@assay/inference"
import type { ApiEndpoint, GuardrailData, PriceTable } from "@assay/schemas"
import type { RunProgram } from "./metrics/code/run-program.ts"
import type { ModelPool } from "./models/model-pool.ts"
import type { Recording } from "./models/recording.ts"

/** The dependencies of metrics. */
export interface ScoringEnvironment {
  /** Returns the key of an endpoint; undefined if it has none. @throws `secret_not_readable` */
  readonly resolveKey: (endpoint: ApiEndpoint) => Promise<string | undefined>
  /**
   * Returns the value of a secret, for guardrails and harnesses.
   * @param url the endpoint that gets it; undefined for a harness
   * @throws `secret_not_readable`
   */
  readonly resolveSecret: (reference: string, url?: string) => Promise<string>
  /** Returns a stored guardrail configuration, by `name` or `workspace/name`. @throws `not_found` */
  readonly getGuardrail: (name: string) => Promise<GuardrailData>
  readonly inference: InferenceContext
  /** Compiles schemas of users, and checks rows and answers with them. */
  readonly schemas: SchemaRunner
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /**
   * Opens what runs programs of models in a sandbox. Absent: there is none.
   * @throws `code_not_allowed` with the reason
   */
  readonly openPrograms?: ((signal: AbortSignal) => Promise<RunProgram>) | undefined
  /**
   * Reads the answers of a job, a baseline or a folder of results. Absent: there are none.
   * @throws `not_found`, `bad_document`
   */
  readonly openAnswers?: ((job: string, signal: AbortSignal) => Promise<OtherAnswers>) | undefined
  /** Prices of tokens. Absent: no cost is known, unless a metric has its own prices. */
  readonly prices?: PriceTable | undefined
  /** Records the answers of all models, and replays them. Absent: each request is sent. */
  readonly recording?: Recording | undefined
}

/** The answers of other results, by row. */
export interface OtherAnswers {
  /** Returns the answer to a row and repeat; undefined if there is none, or if the row asks something else there. */
  find(row: {
    readonly task: string
    readonly row: number
    readonly repeat: number
    readonly item: Readonly<Record<string, unknown>>
  }): string | undefined
}

/** The parts that the metrics of a job share while they are open. */
export interface ScoringContext {
  readonly environment: ScoringEnvironment
  /** The clients of all endpoints of the job. */
  readonly models: ModelPool
  /** Adds a function that is called when the metrics are closed, in reverse order. */
  readonly onClose: (close: () => Promise<void>) => void
  readonly signal: AbortSignal
}
