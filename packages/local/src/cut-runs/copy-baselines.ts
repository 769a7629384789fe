import type { JobEnvironment } from "@assay/evaluation"
import { type JobToCompare, readRows } from "@assay/results"
import { AssayError, type EvaluationRow, maskKeys } from "@assay/schemas"
import { type ShardPlan, readJson, type RunStore, runFiles, writeJson } from "@assay/executors"

type OpenBaseline = NonNullable<JobEnvironment["openBaseline"]>

/** Returns a function that opens the results with which gates compare, and notes them. */
export function recordBaselines(open: OpenBaseline, opened: Map<string, JobToCompare>): OpenBaseline {
  return async (name, signal) => {
    const baseline = await open(name, signal)
    opened.set(name, baseline)
    return baseline
  }
}

/**
 * Copies the results with which gates compare rows into a run, without the answers: other machines may not reach them, and a baseline may change meanwhile.
 * @param first the number of the first one's folder
 */
export async function copyBaselines(
  store: RunStore,
  baselines: ReadonlyMap<string, JobToCompare>,
  { first, signal }: { readonly first: number; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, number>>> {
  const copied: Record<string, number> = {}
  let number = first
  for (const [name, { rows, ...about }] of baselines) {
    await store.storage.write(rowsFile(number), scoresOf(rows(signal)))
    await writeJson(store, aboutFile(number), maskKeys(about))
    copied[name] = number++
  }
  return copied
}

async function* scoresOf(batches: AsyncIterable<readonly EvaluationRow[]>): AsyncGenerator<Uint8Array, void> {
  for await (const rows of batches) {
    yield Buffer.from(rows.map((row) => `${JSON.stringify({ ...row, sample: null })}\n`).join(""))
  }
}

/** Opens the copy of a baseline; undefined if the run has none. @throws `bad_document` if it is not there any more */
export async function openCopiedBaseline(
  store: RunStore,
  { baselines = {} }: Pick<ShardPlan, "baselines">,
  name: string,
): Promise<JobToCompare | undefined> {
  const number = Object.hasOwn(baselines, name) ? baselines[name] : undefined
  if (number === undefined) return undefined
  const about = await readJson(store, aboutFile(number))
  if (about === undefined)
    throw new AssayError("bad_document", `The run has no copy of the results '${name}' any more: cut the job again.`)
  // They were written by this program.
  return { ...(about as Omit<JobToCompare, "rows">), rows: (signal) => rowsOf(store, number, signal) }
}

async function* rowsOf(
  { storage }: RunStore,
  number: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly EvaluationRow[], void> {
  const { bytes } = await storage.read(rowsFile(number), { signal })
  yield* readRows(buffersOf(bytes))
}

async function* buffersOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

const rowsFile = (number: number) => runFiles.input(number, "rows.jsonl")
const aboutFile = (number: number) => runFiles.input(number, "about.json")
