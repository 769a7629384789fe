import { formatSignature, type SignatureReport } from "@assay/reports/terminal"
import { openSignature, readSignature, verifyFiles } from "@assay/signatures"
import { type FilePath, parseFilePath, type Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { countFiles } from "./count-files.ts"
import { openModel } from "./open-model.ts"
import { trustedKeysOf } from "./trusted-keys.ts"

export interface VerifyModelOptions extends JsonOption {
  readonly key?: readonly string[]
  readonly signature: string
  readonly ignore?: readonly string[]
}

const EXIT_OF_STATE = { verified: EXIT.done, differs: EXIT.no, untrusted: EXIT.inconclusive } as const

/** Runs `assay fileset verify <model>`. */
export async function verifyModel(context: Context, written: string, options: VerifyModelOptions): Promise<ExitCode> {
  const trusted = await trustedKeysOf(context, options.key)
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
