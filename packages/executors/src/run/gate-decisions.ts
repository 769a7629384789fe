import { Type } from "@sinclair/typebox"
import { isAssayError } from "@assay/schemas/errors"
import { deleteAll, parseFilePath } from "@assay/storage"
import { listFiles, readRecord, type RunStore, writeJson } from "./run-store.ts"

/** Says that the gates of a task are decided. It has no verdict: the merge computes that from the rows. The record `gates/0.json` of a run. */
const GateDecision = Type.Object({ task: Type.String() })

const FOLDER = "gates/"

/** Notes that the gates of a task are decided, unless another shard did. */
export async function writeDecision(
  store: RunStore,
  number: number,
  decision: { readonly task: string; readonly shard: number; readonly at: number },
): Promise<void> {
  try {
    await writeJson(store, parseFilePath(`${FOLDER}${number}.json`), decision, { isNew: true })
  } catch (error) {
    if (!isAssayError(error, "precondition_failed")) throw error
  }
}

/** Returns the tasks whose gates are decided, as the shards of a run have noted. */
export async function readDecisions(store: RunStore, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const tasks = new Set<string>()
  for (const { path } of await listFiles(store, FOLDER, signal)) {
    const found = await readRecord(store, path, GateDecision)
    if (found !== undefined) tasks.add(found.task)
  }
  return tasks
}

/** Removes all decisions. The shards that run next make new ones. */
export async function removeDecisions({ storage }: RunStore): Promise<void> {
  await deleteAll(storage, { prefix: FOLDER })
}
