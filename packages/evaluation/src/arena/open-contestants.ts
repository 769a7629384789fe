import { otherResults } from "@assay/results"
import { AssayError, type EvaluationConfigBody, isAssayError } from "@assay/schemas"
import type { ArenaContestant, OpenedArena } from "@assay/evaluation-files"
import type { RowSource, SourceRow } from "@assay/scoring"
import type { LimitFunction } from "p-limit"
import { endsJob } from "../engine/failures.ts"
import type { JobEnvironment } from "../job-environment.ts"
import { planJob } from "../plan/plan-job.ts"
import type { TaskPlan } from "../plan/task-plan.ts"

/** A model of an arena that gives answers. */
export interface Contestant {
  readonly name: string
  /** Returns the answer to a row; undefined if there is none. Each row is asked once. @throws what fails on every row */
  readonly answer: (row: SourceRow) => Promise<string | undefined>
  /** Rows without an answer. */
  readonly failed: number
}

interface OpenedContestants {
  readonly contestants: readonly Contestant[]
  readonly rows: RowSource
  close(): Promise<void>
}

interface OpenOptions {
  readonly arena: OpenedArena
  readonly workspace: string
  readonly environment: JobEnvironment
  readonly limit: LimitFunction
  readonly signal: AbortSignal
}

const TASK = "arena"

/** Opens all models and the rows of an arena. Close them after use. @throws what is wrong with a model, a folder or the dataset, with its name */
export async function openContestants(options: OpenOptions): Promise<OpenedContestants> {
  const { arena, signal } = options
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closers.toReversed()) await one()
  }
  const plan = async (target: object): Promise<TaskPlan> => {
    const opened = await planJob(jobOf(target, options), options.environment, { signal, keepsOrder: true })
    closers.push(() => opened.close())
    const [task] = opened.tasks
    if (task === undefined) throw new AssayError("internal", "The arena has no task; report it.")
    return task
  }
  try {
    const contestants: Contestant[] = []
    let rows: RowSource | undefined
    for (const one of arena.models) {
      const asked = one.kind === "model" ? await plan({ type: "model", model: one.model }).catch(named(one)) : undefined
      rows ??= asked?.rows
      contestants.push(createContestant(one, await openAnswers(one, asked, options), options))
    }
    return { contestants, rows: rows ?? (await plan(NO_MODEL)).rows, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Stands for models that are not asked, because folders have their answers. */
const NO_MODEL = { type: "model", model: { api_endpoint: { url: "http://127.0.0.1:9/v1", model_id: "none" } } }

function jobOf(target: object, { arena, workspace }: OpenOptions) {
  const own = arena.models.find((one) => one.kind === "model" && one.model === (target as { model?: unknown }).model)
  const parameters = own?.kind === "model" ? { ...arena.parameters, ...own.parameters } : arena.parameters
  const config = {
    type: "custom",
    tasks: {
      [TASK]: {
        type: "chat-completion",
        dataset: arena.dataset,
        params: { ...parameters, ...(arena.template === undefined ? {} : { template: arena.template }) },
        // A task has at least one metric. This one asks nothing.
        metrics: { latency: { type: "latency" } },
      },
    },
  } as EvaluationConfigBody
  return { namespace: workspace, target: target as never, config }
}

type FindAnswer = (row: SourceRow) => Promise<string | undefined>

async function openAnswers(
  one: ArenaContestant,
  task: TaskPlan | undefined,
  { environment, limit, signal }: OpenOptions,
): Promise<FindAnswer> {
  if (one.kind === "folder") {
    if (environment.openBaseline === undefined) throw new AssayError("invalid_request", `There are no results here.`)
    const answers = await otherResults.readAnswers(
      await environment.openBaseline(one.folder, signal).catch(named(one)),
      signal,
    )
    return async ({ index: row, item }) => {
      const text = answers.find({ task: TASK, row, repeat: 0, item })
      if (text !== undefined) return text
      const why = `'${one.folder}' has no answer to row ${row}, or its row asks something else; its results have to be over the same rows.`
      throw new AssayError("rows_invalid", why)
    }
  }
  const { ask } = task ?? {}
  if (ask?.kind !== "call") throw new AssayError("internal", "A model of the arena can't be asked; report it.")
  return async ({ item }) => {
    const sample = await limit(() => ask.call(item, { repeat: 0, signal, onRetry: () => {} }))
    return sample.output_text ?? undefined
  }
}

/** Rows that may fail before any has an answer. */
const DOUBTFUL_FAILURES = 5

function createContestant({ name }: ArenaContestant, find: FindAnswer, { signal }: OpenOptions): Contestant {
  const known = new Map<number, Promise<string | undefined>>()
  let answered = 0
  let failed = 0
  const fail = (error: AssayError): undefined => {
    failed++
    if (endsJob(error) || (answered === 0 && failed >= DOUBTFUL_FAILURES)) throw named({ name })(error)
    return undefined
  }
  const ask = async (row: SourceRow): Promise<string | undefined> => {
    try {
      const text = await find(row)
      if (text === undefined)
        return fail(new AssayError("answer_unusable", `Row ${row.index} has no answer with a text.`))
      answered++
      return text
    } catch (error) {
      signal.throwIfAborted()
      if (!isAssayError(error)) throw error
      return fail(error)
    }
  }
  return {
    name,
    answer(row) {
      const asked = known.get(row.index) ?? ask(row)
      known.set(row.index, asked)
      return asked
    },
    get failed() {
      return failed
    },
  }
}

/** Returns what throws an error again with the name of its model. */
function named({ name }: Pick<ArenaContestant, "name">): (error: unknown) => never {
  return (error) => {
    if (!isAssayError(error) || error.message.startsWith(`Model '${name}'`)) throw error
    throw new AssayError(error.code, `Model '${name}' of the arena: ${error.message}`, {
      cause: error,
      context: error.context,
    })
  }
}
