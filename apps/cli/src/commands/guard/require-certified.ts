import { dirname, join, resolve } from "node:path"
import { certifiedCandidate, openFileJournal, verifyCertificate, verdictSentence } from "@assay/guardrails"
import { type Certificate, printable, readCertificate } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import { labelledRows } from "./labelled-rows.ts"

interface RequiredOptions {
  /** The labelled prompts, if they are not where the certificate says. */
  readonly data?: string | undefined
}

/**
 * Throws unless a certificate is what its rows and stored answers give, and certifies a configuration to the last character. Nothing is asked. Writes to
 * stderr what is certified, and that this does not prove who made it.
 * @throws `not_certified`
 */
export async function requireCertified(
  context: Context,
  name: string,
  guard: { readonly name: string; readonly digest: string },
  { data }: RequiredOptions = {},
): Promise<void> {
  const path = resolve(context.cwd, name)
  const certificate = readCertificate(await readLocalText(path), printable(name))
  requireChosen(name, certificate, guard)
  const journal = await openFileJournal(join(dirname(path), "journal.jsonl"))
  try {
    const { signal, now } = context
    const openRows = () => labelledRows(context, data ?? certificate.data, certificate.limit ?? undefined)
    const faults = await verifyCertificate(certificate, { openRows, journal, signal, now })
    if (faults.length > 0) {
      const fields = faults.map(({ field }) => field).join(", ")
      const message = `'${printable(name)}' is not valid: its rows and stored answers give other ${fields}. 'assay guard verify ${printable(name)}' shows both; optimize again for a valid one.`
      throw new AssayError("not_certified", message)
    }
  } finally {
    await journal.close()
  }
  await writeText(
    context.stderr,
    `'${printable(name)}' agrees with its rows and stored answers. ${verdictSentence(certificate)}. Only a signature can prove who made it.\n`,
  )
}

/** Throws unless a configuration is the one that a certificate names. It does not look at the evidence. @throws `not_certified` */
export function requireChosen(
  name: string,
  certificate: Certificate,
  guard: { readonly name: string; readonly digest: string },
): void {
  const certified = certifiedCandidate(certificate)
  if (certified === undefined) {
    throw new AssayError("not_certified", `'${printable(name)}' certifies nothing: no candidate kept the limits.`)
  }
  if (certified.digest === guard.digest) return
  const message = `'${printable(guard.name)}' is not what '${printable(name)}' certifies: its prompts, models, parameters or endpoint were changed since. Certified is '${printable(certified.name)}'; optimize again to certify a change.`
  throw new AssayError("not_certified", message)
}
