import { formatSignature, type SignatureReport } from "@assay/reports/terminal"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { MAX_SIGNATURE_BYTES, openSignature, verifyFiles } from "@assay/signatures"
import { type FilePath, parseFilePath, type Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { countFiles } from "./count-files.ts"
import { openModel } from "./open-model.ts"
import { readTrustedKeys } from "./trusted-keys.ts"

export interface VerifyModelOptions extends JsonOption {
  readonly key?: readonly string[]
  readonly signature: string
  readonly ignore?: readonly string[]
}

const EXIT_OF_STATE = { verified: EXIT.done, differs: EXIT.no, untrusted: EXIT.inconclusive } as const

/** Runs `assay fileset verify <model>`. */
export async function verifyModel(context: Context, written: string, options: VerifyModelOptions): Promise<ExitCode> {
  const trusted = await readTrustedKeys(context, options.key)
  const path = parseFilePath(options.signature)
  const { storage } = await openModel(context, written)
  const opened = openSignature(await readSignature(storage, path, context.signal), trusted)
  const report = opened === undefined ? UNTRUSTED : await verify(context, { storage, path, opened, options })
  await print(context, options, report, formatSignature)
  return EXIT_OF_STATE[report.state]
}

const UNTRUSTED: SignatureReport = { state: "untrusted", signer: null, files: 0, bytes: 0, differing: [] }

interface Verifying {
  readonly storage: Storage
  readonly path: FilePath
  readonly opened: NonNullable<ReturnType<typeof openSignature>>
  readonly options: VerifyModelOptions
}

async function verify(context: Context, { storage, path, opened, options }: Verifying): Promise<SignatureReport> {
  const { signer } = opened
  const manifest = { ...opened.manifest, ignored: [...opened.manifest.ignored, ...(options.ignore ?? [])] }
  const count = await countFiles(context, storage)
  const { signal } = context
  const found = await verifyFiles({ storage, manifest, own: path, signal, onFile: count.add }).finally(count.end)
  return { state: found.differing.length === 0 ? "verified" : "differs", signer, ...found }
}

/** @throws `not_found`, and `bad_signature` if it is too large */
async function readSignature(storage: Storage, path: FilePath, signal: AbortSignal): Promise<Buffer> {
  const { file, bytes } = await storage.read(path, { signal }).catch((error: unknown) => {
    if (!isAssayError(error) || error.code !== "not_found") throw error
    const message = `The model has no signature '${path}'. If it has another name, give it with --signature.`
    throw new AssayError("not_found", message, { cause: error })
  })
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) {
    if (file.size <= MAX_SIGNATURE_BYTES) pieces.push(Buffer.from(piece))
    else throw new AssayError("bad_signature", `'${path}' is too large to be a signature (${file.size} bytes).`)
  }
  return Buffer.concat(pieces)
}
