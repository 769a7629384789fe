import { join, resolve } from "node:path"
import type { ConfiguredCandidate } from "@assay/guardrails"
import { formatJson } from "@assay/reports/terminal"
import { type Certificate, printable, readCertificate } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, readRegularFile, writeTogether } from "@assay/storage"
import type { Context } from "../../context.ts"
import { shownPath } from "../eval/run-end.ts"
import type { OpenedCandidate } from "./open-candidates.ts"

/** The options of a certificate that decide what it says. */
interface CertificateQuestion {
  readonly maxFalseBlock: number
  readonly maxMiss?: number
  readonly alpha: number
  readonly limit?: number
  readonly overwrite?: boolean
}

const FILE = "certificate.json"

/**
 * Refuses before any question is asked if the folder has a certificate of another question. The same question may continue or be asked again.
 * @throws `output_exists`; `bad_document` if the file is not a certificate
 */
export async function checkExisting(
  context: Context,
  folder: string,
  { maxFalseBlock, maxMiss, alpha, limit, overwrite = false }: CertificateQuestion,
  { data, seed }: { readonly data: string; readonly seed: number },
): Promise<void> {
  if (overwrite) return
  const text = await readExisting(join(folder, FILE))
  if (text === undefined) return
  const found = readCertificate(text, shownPath(context, join(folder, FILE)))
  const asked = [found.limits.false_block, found.limits.miss, found.alpha, found.limit, found.data, found.seed]
  if (JSON.stringify(asked) === JSON.stringify([maxFalseBlock, maxMiss ?? null, alpha, limit ?? null, data, seed]))
    return
  throw refusal(context, folder)
}

export interface CertificateResults {
  readonly guards: readonly OpenedCandidate[]
  readonly candidates: readonly ConfiguredCandidate[]
  readonly overwrite: boolean
}

/**
 * Writes the certificate, the prompts that a program wrote, and the certified configuration. Returns the paths that users look at. A folder has
 * no certified configuration of an earlier certificate afterwards.
 * @throws `output_exists` if the folder has another certificate that must not be replaced; `local_file_failed`
 */
export async function writeCertificate(
  context: Context,
  folder: string,
  certificate: Certificate,
  { guards, candidates, overwrite }: CertificateResults,
): Promise<readonly string[]> {
  const file = join(folder, FILE)
  const text = formatJson(certificate)
  const before = await readExisting(file)
  if (before !== undefined && before !== text && !overwrite) throw refusal(context, folder)
  const configuration = join(folder, "certified.json")
  const certified = candidates.find(({ name }) => name === certificate.chosen)?.data ?? null
  // Together: a certificate without its configuration, or beside another one, certifies nothing.
  await writeTogether([
    ...guards.flatMap((guard) =>
      guard.text === undefined ? [] : [{ path: join(folder, "candidates", `${guard.name}.txt`), text: guard.text }],
    ),
    { path: configuration, text: certified === null ? null : formatJson(certified) },
    { path: file, text },
  ])
  return certified === null ? [file] : [file, configuration]
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw localFailure(error, "read", path)
  }
}

function refusal(context: Context, folder: string): AssayError {
  const file = printable(shownPath(context, resolve(folder, FILE)))
  const message = `'${file}' is another certificate. The answers in its journal are used again if it is replaced.`
  return new AssayError("output_exists", message)
}
