import { hash } from "node:crypto"
import { resolve } from "node:path"
import type { Client } from "@assay/client"
import { localDatasets, mapDatasets, openLocalDataset, type LaunchSubject, type OpenedDataset } from "@assay/evaluation"
import { isAssayError } from "@assay/schemas/errors"
import { openRegularFile } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { formatCount } from "@assay/reports/terminal"

export interface UploadOptions {
  readonly namespace: string
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  readonly client: Client
  /** Receives a sentence about each place. */
  readonly say: (text: string) => void
}

/**
 * Sends the rows of this machine that a job names to filesets of the server. Returns the job with the places on the server. The name
 * of a fileset is `eval-inputs-` and a digest of its files, so the same rows are sent only once, and two jobs with the same rows can be
 * compared.
 */
export async function uploadInputs<T extends Partial<Pick<LaunchSubject, "target" | "config">>>(
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

/** Returns whether the file is there. The name of the fileset contains the digest, so a file of the right size has the right bytes. */
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
