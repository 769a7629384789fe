import { dirname, join, resolve } from "node:path"
import { openFileJournal, verifyCertificate, type CertificateFault } from "@assay/guardrails"
import { readCertificate } from "@assay/schemas/certificates"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { readTextFile } from "./guardrail-files.ts"
import { labelledRows } from "./labelled-rows.ts"

export interface VerifyOptions extends JsonOption {
  readonly data?: string
}

/** `assay guard verify <certificate>`: computes it again from the stored answers. Returns 1 if something differs, or if it certifies nothing. */
export async function verify(context: Context, name: string, options: VerifyOptions): Promise<ExitCode> {
  const { cwd, signal, now } = context
  const path = resolve(cwd, name)
  const certificate = readCertificate(await readTextFile(path), printable(name))
  const journal = await openFileJournal(join(dirname(path), "journal.jsonl"))
  try {
    const rows = labelledRows(context, options.data ?? certificate.data, certificate.limit ?? undefined)
    const faults = await verifyCertificate(certificate, { rows, journal, signal, now })
    const { verdict, chosen } = certificate
    await print(context, options, { valid: faults.length === 0, verdict, chosen, faults }, () =>
      faults.length > 0
        ? faults.map(formatFault).join("")
        : `valid: ${verdict}${chosen === null ? ", nothing is certified" : `, '${printable(chosen)}' is certified`}\n`,
    )
    return faults.length === 0 && chosen !== null ? EXIT.done : EXIT.no
  } finally {
    await journal.close()
  }
}

const SHOWN = 200

function formatFault({ field, expected, found }: CertificateFault): string {
  const shown = (text: string) => printable(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
  return `not valid: ${field} is ${shown(found)}, and the certificate says ${shown(expected)}\n`
}

/** Throws unless a configuration is the certified one, to the last character. @throws `bad_usage` */
export async function requireCertified(
  { cwd }: Pick<Context, "cwd">,
  name: string,
  guard: { readonly name: string; readonly digest: string },
): Promise<void> {
  const { chosen, candidates } = readCertificate(await readTextFile(resolve(cwd, name)), printable(name))
  const certified = candidates.find((candidate) => candidate.name === chosen)
  if (certified === undefined) {
    throw new AssayError("bad_usage", `'${printable(name)}' certifies nothing: no candidate kept the limits.`)
  }
  if (certified.digest === guard.digest) return
  const message = `'${printable(guard.name)}' is not what '${printable(name)}' certifies: its prompts, models, parameters or endpoint were changed since. Certified is '${printable(certified.name)}'; optimize again to certify a change.`
  throw new AssayError("bad_usage", message)
}
