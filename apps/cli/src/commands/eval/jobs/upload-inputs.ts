import { hash } from "node:crypto"
import { resolve } from "node:path"
import type { Client } from "@assay/client"
import type { OpenedDataset } from "@assay/evaluation"
import { isAssayError } from "@assay/schemas/errors"
import { openRegularFile } from "@assay/storage/paths"
import type { Context } from "../../../context.ts"
import { formatCount } from "../../../output/format-count.ts"
import { mapDatasets } from "../file/map-datasets.ts"
import { localDatasets } from "../run/digest-run.ts"
import type { LocalJob } from "../run/local-job.ts"
import { openLocalDataset } from "../run/open-local-dataset.ts"

/** What may be launched: target and configuration as a file has them. */
type Launchable = Pick<LocalJob, "target" | "config">

export interface UploadOptions {
  readonly namespace: string
  /** What local paths are relative to. */
  readonly folder: string
  readonly client: Client
  readonly say: (text: string) => void
}

/**
 * Sends the rows of this machine that a job names to filesets of the server, and answers with the job that names those. A fileset is called
 * `eval-inputs-` and a digest of what is in it: the same rows are sent once, and two jobs over them compare.
 */
export async function uploadInputs<T extends Partial<Launchable>>(
  context: Context,
  job: T,
  { namespace, folder, client, say }: UploadOptions,
): Promise<T> {
  const places = localDatasets(job)
  if (places.length === 0) return job
  const urls = new Map<string, string>()
  const base = { folder, home: context.home, digests: new Map<string, string>() }
  for (const place of places) {
    const dataset = await openLocalDataset(place, base, { signal: context.signal })
    urls.set(place, await upload(context, place, dataset, { namespace, folder, client, say }))
  }
  return mapDatasets(job, (filesUrl) => urls.get(filesUrl) ?? filesUrl)
}

async function upload(
  { signal }: Context,
  place: string,
  { pin }: OpenedDataset,
  { namespace, client, say }: UploadOptions,
): Promise<string> {
  const { files, fileset: root } = pin
  const digest = hash("sha256", JSON.stringify(files.map(({ path, sha256 }) => [path, sha256])))
  const name = `eval-inputs-${digest.slice(0, 16)}`
  const address = `${namespace}/${name}`
  try {
    const description = `Rows of ${place}, sent by assay eval.`
    await client.filesets.create(namespace, { name, purpose: "dataset", description }, { signal })
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
  }
  let sent = 0
  for (const { path, size, sha256 } of files) {
    if (await isThere(client, { namespace, name, path, size }, signal)) continue
    await using handle = await openRegularFile(resolve(root, path))
    const bytes = handle.createReadStream({ autoClose: false })
    const digestOption = sha256 === null ? {} : { sha256 }
    await client.files.write(namespace, name, path, bytes, { length: size, signal, ...digestOption })
    sent += 1
  }
  say(sent === 0 ? `${place} is at ${address} already` : `sent ${place} to ${address} (${formatCount(sent, "file")})`)
  const [only] = files
  const path = files.length === 1 && only !== undefined ? `/${only.path}` : ""
  return `assay://datasets/${namespace}/${name}${path}`
}

/** The name of the fileset tells the content: what is there whole is right. */
async function isThere(
  client: Client,
  { namespace, name, path, size }: { namespace: string; name: string; path: string; size: number },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await client.files.stat(namespace, name, path, { signal })).size === size
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}
