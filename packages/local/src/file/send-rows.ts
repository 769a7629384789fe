import { hash } from "node:crypto"
import { resolve } from "node:path"
import { formatCount } from "@assay/reports/terminal"
import { type CreateFileset, LABELS_FILE } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { openRegularFile } from "@assay/storage"
import type { OpenedDataset } from "@assay/evaluation"
import type { LaunchSubject } from "@assay/attempts"
import { isLocalFolder, localLabels, mapLabels } from "../labels/label-paths.ts"
import { localDatasets, mapDatasets } from "../dataset-paths.ts"
import { openLocalDataset } from "../open-local-dataset.ts"

interface Call {
  readonly signal: AbortSignal
}

/** The calls of a server that receives rows. The HTTP client has them. */
export interface RowReceiver {
  readonly filesets: {
    create(workspace: string, body: CreateFileset, call: Call): Promise<unknown>
  }
  readonly files: {
    /** @throws `not_found` */
    stat(workspace: string, fileset: string, path: string, call: Call): Promise<{ readonly size: number }>
    write(
      workspace: string,
      fileset: string,
      path: string,
      bytes: AsyncIterable<Uint8Array>,
      options: Call & { readonly length: number; readonly sha256?: string },
    ): Promise<unknown>
  }
}

export interface SendRowsOptions {
  readonly server: RowReceiver
  readonly workspace: string
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** The folder that `~` means. */
  readonly home: string
  /** Receives a sentence about each path. */
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

/**
 * Sends the rows and labels of this machine that a job names to filesets of a server. Returns the job with the paths on the server. The name
 * of a fileset is `eval-inputs-` and a digest of its files, so the same rows are sent only once, and two jobs with the same rows can be
 * compared.
 */
export async function sendRows<T extends Partial<Pick<LaunchSubject, "target" | "config">>>(
  job: T,
  options: SendRowsOptions,
): Promise<T> {
  const { folder, home, signal } = options
  const urls = new Map<string, string>()
  const base = { folder, home, digests: new Map<string, string>() }
  for (const localPath of localDatasets(job)) {
    urls.set(localPath, await sendDataset(localPath, await openLocalDataset(localPath, base, { signal }), options))
  }
  const labels = new Map<string, string>()
  for (const localPath of localLabels(job)) {
    const file = (await isLocalFolder(localPath, base)) ? `${localPath.replace(/\/+$/, "")}/${LABELS_FILE}` : localPath
    labels.set(localPath, await sendDataset(localPath, await openLocalDataset(file, base, { signal }), options))
  }
  const sent = mapDatasets(job, (filesUrl) => urls.get(filesUrl) ?? filesUrl)
  return mapLabels(sent, (localPath) => labels.get(localPath) ?? localPath)
}

/** Returns the address of the rows on the server. */
async function sendDataset(
  localPath: string,
  { pin: { files, fileset: root } }: OpenedDataset,
  { server, workspace, say, signal }: SendRowsOptions,
): Promise<string> {
  const digest = hash("sha256", JSON.stringify(files.map(({ path, sha256 }) => [path, sha256])))
  const name = `eval-inputs-${digest.slice(0, 16)}`
  const address = `${workspace}/${name}`
  const missing: OpenedDataset["pin"]["files"][number][] = []
  for (const file of files) {
    // The name of the fileset contains the digest, so a file of the right size has the right bytes.
    if ((await sizeOf(server, { workspace, name, path: file.path }, signal)) !== file.size) missing.push(file)
  }
  // Rows that are there need no fileset: a refused creation would be a failure in the audit.
  if (missing.length > 0) await createInputs(server, { workspace, name, localPath }, signal)
  for (const { path, size, sha256 } of missing) {
    await using handle = await openRegularFile(resolve(root, path))
    const bytes = handle.createReadStream({ autoClose: false })
    const checked = sha256 === null ? {} : { sha256 }
    await server.files.write(workspace, name, path, bytes, { length: size, signal, ...checked })
  }
  say(
    missing.length === 0
      ? `${localPath} is at ${address} already`
      : `sent ${localPath} to ${address} (${formatCount(missing.length, "file")})`,
  )
  const [only] = files
  const path = files.length === 1 && only !== undefined ? `/${only.path}` : ""
  return `assay://datasets/${address}${path}`
}

async function createInputs(
  { filesets }: RowReceiver,
  { workspace, name, localPath }: { workspace: string; name: string; localPath: string },
  signal: AbortSignal,
): Promise<void> {
  const description = `Rows of ${localPath}, sent by assay eval.`
  await filesets.create(workspace, { name, purpose: "dataset", description }, { signal }).catch((error: unknown) => {
    // Another process created the fileset in the meantime, or did not send all files.
    if (!isAssayError(error, "already_exists")) throw error
  })
}

/** Returns the size of a file on the server in bytes. Undefined if there is no such file. */
async function sizeOf(
  { files }: RowReceiver,
  { workspace, name, path }: { workspace: string; name: string; path: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return (await files.stat(workspace, name, path, { signal })).size
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}
