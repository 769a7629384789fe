import { dirname, join, resolve } from "node:path"
import {
  askAgain,
  type AskedAgain,
  type CalibrationJournal,
  type CertificateFault,
  formatAskedAgain,
  formatCalibrationProgress,
  type LabelledPrompt,
  openFileJournal,
  verifyCertificate,
} from "@assay/guardrails"
import { createProgressLine } from "@assay/reports/terminal"
import { type Certificate, printable, readCertificate } from "@assay/schemas"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"
import { shownPath } from "../eval/run-end.ts"
import { print } from "../print.ts"
import { labelledRows } from "./labelled-rows.ts"
import { openGuard } from "./open-guard.ts"
import { requireChosen } from "./require-certified.ts"
import { checkReportFile } from "../../output/check-report-file.ts"
import { writePage } from "./write-page.ts"

export interface VerifyOptions extends JsonOption {
  readonly data?: string
  readonly ask?: boolean
  readonly html?: string
  readonly config?: string
  readonly apiKeyEnv?: string
  readonly parallel: number
  readonly maxRateLimitWait?: number
}

/**
 * Runs `assay guard verify <certificate>`: computes it again from the stored answers, and with `--ask` from new ones. Returns 1 if something
 * differs or nothing is certified; 1 or 3 as gates do if the new answers break a limit or can't decide.
 */
export async function verify(context: Context, name: string, options: VerifyOptions): Promise<ExitCode> {
  const { cwd, signal, now } = context
  await checkReportFile(context, "--html", { name: options.html, format: "HTML" })
  const path = resolve(cwd, name)
  const certificate = readCertificate(await readLocalText(path), printable(name))
  const { verdict, chosen, data, limit } = certificate
  const journal = await openFileJournal(join(dirname(path), "journal.jsonl"))
  try {
    const openRows = () => labelledRows(context, options.data ?? data, limit ?? undefined)
    const faults = await verifyCertificate(certificate, { openRows, journal, signal, now })
    const isValid = faults.length === 0 && chosen !== null
    const asked =
      isValid && options.ask === true ? await ask(context, certificate, { name, options, journal, openRows }) : null
    const found = { valid: faults.length === 0, verdict, chosen, faults, ...(asked === null ? {} : { asked }) }
    const files = await writePage(context, options.html, certificate, { faults, asked })
    const written = files.map((file) => `wrote ${shownPath(context, file)}\n`).join("")
    await print(context, options, found, () =>
      faults.length > 0
        ? `${faults.map(formatFault).join("")}${written}`
        : `valid: ${verdict}${chosen === null ? ", nothing is certified" : `, '${printable(chosen)}' is certified`}\n${asked === null ? "" : formatAskedAgain(asked, certificate)}${written}`,
    )
    return asked === null ? (isValid ? EXIT.done : EXIT.no) : EXIT_OF_VERDICT[asked.verdict]
  } finally {
    await journal.close()
  }
}

interface Asking {
  readonly name: string
  readonly options: VerifyOptions
  readonly journal: CalibrationJournal
  readonly openRows: () => AsyncIterable<LabelledPrompt>
}

/** Asks the certified configuration, which is beside the certificate unless `--config` names it. */
async function ask(
  context: Context,
  certificate: Certificate,
  { name, options, journal, openRows }: Asking,
): Promise<AskedAgain> {
  const { signal, now } = context
  const { config = shownPath(context, resolve(context.cwd, dirname(name), "certified.json")), parallel: parallelism } =
    options
  const guard = await openGuard(context, { config }, { ...options, model: [] })
  const line = createProgressLine(context, formatCalibrationProgress)
  try {
    requireChosen(name, certificate, guard)
    const candidate = { name: guard.name, digest: guard.digest, judge: guard.check }
    const onProgress = (progress: Parameters<typeof formatCalibrationProgress>[0]) => line.show(progress)
    return await askAgain(certificate, { candidate, openRows, stored: journal, parallelism, signal, now, onProgress })
  } finally {
    line.clear()
    await guard.close()
  }
}

const SHOWN = 200

function formatFault({ field, expected, found }: CertificateFault): string {
  const shown = (text: string) => printable(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
  return `not valid: ${field} is ${shown(found)}, and the certificate says ${shown(expected)}\n`
}
