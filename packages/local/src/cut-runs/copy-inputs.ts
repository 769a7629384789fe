import { createHash } from "node:crypto"
import { openRowRange, type RowIndex, type RowIndexStore } from "@assay/contents"
import { type FilePath, parseFilePath, readOnly, type Storage, type StoredFile } from "@assay/storage"
import {
  AssayError,
  isAssayError,
  printable,
  isLocalPath,
  type EvaluationConfigBody,
  type GuardrailData,
} from "@assay/schemas"
import type { JobEnvironment, OpenedDataset } from "@assay/evaluation"
import { type JobToCompare, labelledMetrics } from "@assay/results"
import { openCopiedBaseline, recordBaselines } from "./copy-baselines.ts"
import {
  type CopiedDataset,
  type CopiedFile,
  type ShardPlan,
  readJson,
  runFiles,
  type RunStore,
  writeJson,
} from "@assay/executors"

type NamedLabels = Awaited<ReturnType<NonNullable<JobEnvironment["readLabels"]>>>

/** The inputs that a job read when it was planned, for processes on other machines. */
export interface InputRecorder {
  /** The environment that records what is opened through it. */
  readonly environment: JobEnvironment
  /** The results with which gates compare that were opened through it. */
  readonly baselines: ReadonlyMap<string, JobToCompare>
  /** Copies the recorded files into the run. Files of filesets stay in them, unless they are copied, too. */
  copyTo(store: RunStore): Promise<Pick<ShardPlan, "datasets" | "guardrails">>
}

/** Which datasets are copied into a run: `local` are those of this machine, and not those of filesets. */
export type InputCopies = "local" | "all"

/** Returns an environment that records the files of datasets and the guardrails that a plan opens. */
export function recordInputs(environment: JobEnvironment, copies: InputCopies = "local"): InputRecorder {
  const datasets = new Map<string, OpenedDataset>()
  const ofFilesets: OpenedDataset[] = []
  const guardrails: Record<string, GuardrailData> = {}
  const baselines = new Map<string, JobToCompare>()
  const { openBaseline } = environment
  return {
    baselines,
    environment: {
      ...environment,
      ...(openBaseline === undefined ? {} : { openBaseline: recordBaselines(openBaseline, baselines) }),
      async openDataset(dataset, options) {
        const opened = await environment.openDataset(dataset, options)
        const written = writtenAs(dataset)
        if (copies === "all" || isLocalPath(written)) datasets.set(written, opened)
        else ofFilesets.push(opened)
        return opened
      },
      async getGuardrail(name) {
        return (guardrails[name] = await environment.getGuardrail(name))
      },
    },
    async copyTo(store) {
      const copied: CopiedDataset[] = []
      for (const [written, { storage, paths, metadata, pin }] of datasets) {
        const number = copied.length
        const files: CopiedFile[] = []
        for (const path of paths) files.push(await copyFile(storage, path, store, { number, pin }))
        const copy = { written, number, files, ...(metadata === undefined ? {} : { metadata }), pin }
        await indexRows(await openCopy(store, copy))
        copied.push(copy)
      }
      for (const opened of ofFilesets) {
        await indexRows({ ...opened, rowIndexes: rowIndexesOf(store, opened.pin.files_url) })
      }
      return { datasets: copied, guardrails }
    },
  }
}

async function copyFile(
  from: Storage,
  path: OpenedDataset["paths"][number],
  store: RunStore,
  { number, pin }: Pick<CopiedDataset, "number" | "pin">,
): Promise<CopiedFile> {
  const { bytes, file } = await from.read(path)
  // A file that has changed since it was pinned is refused.
  const sha256 = pin.files.find((one) => one.path === path)?.sha256 ?? undefined
  const { size, etag } = await store.storage.write(runFiles.input(number, path), bytes, { size: file.size, sha256 })
  return { path, size, etag }
}

/**
 * Copies the labels that metrics of a job name into the run. Labels that can't be read are left out: the merge tries again, and its log says
 * so.
 * @param first the number of the first one's folder
 */
export async function copyLabels(
  store: RunStore,
  { readLabels }: Pick<JobEnvironment, "readLabels">,
  {
    config,
    first,
    signal,
  }: { readonly config: EvaluationConfigBody; readonly first: number; readonly signal: AbortSignal },
): Promise<ShardPlan["labels"]> {
  const references = new Set(labelledMetrics(config).map(({ labels }) => labels))
  const copied: Record<string, number> = {}
  let number = first
  for (const reference of references) {
    try {
      const labels = await readLabels?.(reference, signal)
      if (labels === undefined) continue
      await writeJson(store, labelsFile(number), labels)
      copied[reference] = number++
    } catch (error) {
      signal.throwIfAborted()
      if (!isAssayError(error)) throw error
    }
  }
  return copied
}

function labelsFile(number: number): FilePath {
  return runFiles.input(number, "labels.json")
}

/** Returns an environment in which a job reads the copies of a run instead of files of this machine. */
export function replayInputs(environment: JobEnvironment, store: RunStore, plan: ShardPlan): JobEnvironment {
  const { datasets, guardrails, labels } = plan
  return {
    ...environment,
    async openDataset(dataset, options) {
      const copied = datasets.find(({ written }) => written === writtenAs(dataset))
      if (copied !== undefined) return openCopy(store, copied)
      const opened = await environment.openDataset(dataset, options)
      return { ...opened, rowIndexes: rowIndexesOf(store, opened.pin.files_url) }
    },
    async openBaseline(name, signal) {
      const copied = await openCopiedBaseline(store, plan, name)
      if (copied !== undefined) return copied
      if (environment.openBaseline !== undefined) return environment.openBaseline(name, signal)
      throw new AssayError("invalid_request", `The run has no copy of the results '${printable(name)}'.`)
    },
    getGuardrail: async (name) =>
      Object.hasOwn(guardrails, name)
        ? (guardrails[name] ?? environment.getGuardrail(name))
        : environment.getGuardrail(name),
    async readLabels(reference, signal) {
      const number = Object.hasOwn(labels, reference) ? labels[reference] : undefined
      const found = number === undefined ? undefined : await readJson(store, labelsFile(number))
      if (found !== undefined) return found as NamedLabels
      if (environment.readLabels === undefined) throw new AssayError("dataset_missing", "There are no labels.")
      return environment.readLabels(reference, signal)
    },
  }
}

/** Returns a dataset as the job names it. */
function writtenAs(dataset: Parameters<JobEnvironment["openDataset"]>[0]): string {
  return typeof dataset === "string" ? dataset : dataset.text
}

/** Notes where rows are, so that a shard reads only its own. */
async function indexRows({ storage, paths, metadata, rowIndexes: indexes }: OpenedDataset): Promise<void> {
  for (const path of paths) {
    const { close } = await openRowRange(storage, path, { start: 0, end: 0 }, { metadata, indexes })
    await close()
  }
}

function rowIndexesOf(store: RunStore, dataset: string): RowIndexStore {
  return {
    get: async (file) => (await readJson(store, runFiles.rowIndex(dataset, file))) as RowIndex | undefined,
    set: async (file, index) => void (await writeJson(store, runFiles.rowIndex(dataset, file), index)),
  }
}

/** Opens copied row files. @throws `bad_document` if a copy does not contain what was copied */
async function openCopy(store: RunStore, copy: CopiedDataset): Promise<OpenedDataset> {
  const { written, number, files, metadata, pin } = copy
  const { storage } = store
  for (const file of files) await checkCopy(store, copy, file)
  const inner = (path: FilePath) => runFiles.input(number, path)
  const shown = (file: StoredFile): StoredFile => ({
    ...file,
    path: parseFilePath(file.path.split("/").slice(2).join("/")),
  })
  const paths = files.map(({ path }) => parseFilePath(path))
  const copies = readOnly({
    type: storage.type,
    stat: async (path, options) => shown(await storage.stat(inner(path), options)),
    async *list(options = {}) {
      for (const path of paths) yield shown(await storage.stat(inner(path), options))
    },
    async read(path, options) {
      const result = await storage.read(inner(path), options)
      return { ...result, file: shown(result.file) }
    },
  })
  return { storage: copies, paths, metadata, pin, rowIndexes: rowIndexesOf(store, written) }
}

/** The ETag says that a copy is unchanged. If it differs, because the run was moved, the digest decides. */
async function checkCopy(store: RunStore, { number, pin }: CopiedDataset, file: CopiedFile): Promise<void> {
  const path = runFiles.input(number, file.path)
  const found = await store.storage.stat(path)
  if (found.size === file.size && found.etag !== null && found.etag === file.etag) return
  const sha256 = pin.files.find((one) => one.path === file.path)?.sha256 ?? null
  if (found.size === file.size && (sha256 === null || (await digestOf(store.storage, path)) === sha256)) return
  const message = `The copy '${path}' in the run ${printable(store.location)} does not contain the rows with which the job was cut: cut it again into another location.`
  throw new AssayError("bad_document", message)
}

async function digestOf(storage: Storage, path: FilePath): Promise<string> {
  const digest = createHash("sha256")
  const { bytes } = await storage.read(path)
  for await (const piece of bytes) digest.update(piece)
  return digest.digest("hex")
}
