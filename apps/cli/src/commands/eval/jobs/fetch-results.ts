import type { Client } from "@assay/client"
import type { EvaluationJob } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { printable } from "../../../output/printable.ts"
import { checkOutFolder } from "../run/check-out-folder.ts"
import { createFolderSink } from "../run/folder-sink.ts"

/** Fetches the files of a job's results into a folder: config/ and results/ as they lie in their fileset. */
export async function fetchResults(
  { signal }: Pick<Context, "signal">,
  client: Client,
  { id, namespace }: Pick<EvaluationJob, "id" | "namespace">,
  folder: string,
): Promise<void> {
  await checkOutFolder(folder)
  const fileset = `evaluation-${id}`
  const { write } = createFolderSink(folder)
  for await (const { path } of client.files.list(namespace, fileset, {}, { signal })) {
    if (path.split("/").includes("..")) {
      throw new AssayError("bad_answer", `The results of ${printable(id)} hold the path '${printable(path)}'.`)
    }
    const { bytes } = await client.files.read(namespace, fileset, path, { signal })
    await write(path, bytes)
  }
}
