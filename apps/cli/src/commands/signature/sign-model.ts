import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { resolve } from "node:path"
import { formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { signFiles } from "@assay/signatures"
import { type FilePath, parseFilePath, readLocalText, type Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { countFiles } from "./count-files.ts"
import { openModel } from "./open-model.ts"

export interface SignOptions extends JsonOption {
  readonly key: string
  readonly certificate?: readonly string[]
  readonly signature: string
  readonly force?: boolean
}

/** Runs `assay fileset sign <model>`. */
export async function signModel(context: Context, written: string, options: SignOptions): Promise<void> {
  const { cwd, signal } = context
  const path = parseFilePath(options.signature)
  const key = readKey(options.key, await readLocalText(resolve(cwd, options.key)))
  const texts = await Promise.all((options.certificate ?? []).map((file) => readLocalText(resolve(cwd, file))))
  const certificates = texts.flatMap(readCertificates)
  const { name, storage, write } = await openModel(context, written)
  if (options.force !== true) await refuseExisting(storage, path)
  const count = await countFiles(context, storage)
  const signed = await signFiles({
    storage,
    name,
    key,
    certificates,
    ignored: [path],
    signal,
    onFile: count.add,
  }).finally(count.end)
  const location = await write(path, signed.signature)
  await print(
    context,
    options,
    { path: location, files: signed.files },
    () => `signed ${formatCount(signed.files, "file", "files")}: ${printable(location)}\n`,
  )
}

function readKey(name: string, text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (error) {
    const isEncrypted = text.includes("ENCRYPTED")
    const why = isEncrypted ? "is encrypted; decrypt it with openssl first" : "is not a private key (PEM)"
    throw new AssayError("bad_signature", `'${name}' ${why}.`, { cause: error })
  }
}

function readCertificates(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]{1,20000}-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new AssayError("bad_signature", "A certificate can't be read.", { cause: error })
  }
}

/** Looks before anything is read. @throws `already_exists` */
async function refuseExisting(storage: Storage, path: FilePath): Promise<void> {
  try {
    await storage.stat(path)
  } catch (error) {
    if (isAssayError(error) && error.code === "not_found") return
    throw error
  }
  throw new AssayError("already_exists", `There is a file '${path}' already. Replace it with --force.`)
}
