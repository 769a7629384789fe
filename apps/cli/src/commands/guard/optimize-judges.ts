import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { formatCertificate, openFileJournal, optimizeJudges } from "@assay/guardrails"
import { formatCalibrationProgress, type OpenedGuard } from "@assay/guardrails/local"
import { createProgressLine, formatJson } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import { localFailure } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { writeFile } from "../../output/write-file.ts"
import { readVersion } from "../../read-version.ts"
import { shownPath } from "../eval/run-end.ts"
import { print } from "../print.ts"
import { readTextFile } from "./guardrail-files.ts"
import { EXAMPLE_SET, labelledRows } from "./labelled-rows.ts"
import { openGuard, type EndpointOptions } from "./open-guard.ts"

export interface OptimizeOptions extends EndpointOptions {
  readonly data?: string
  readonly config: string
  readonly candidates: string
  readonly maxFalseBlock: number
  readonly maxMiss?: number
  readonly alpha: number
  readonly seed: number
  readonly parallelism: number
  readonly limit?: number
  readonly out: string
}

/** `assay guard optimize`: certifies the candidate that keeps the limits. Returns 0, 1 or 3 as gates do. */
export async function optimize(context: Context, options: OptimizeOptions): Promise<ExitCode> {
  context.keepHeapSmall()
  const { cwd, signal, now } = context
  const { data = EXAMPLE_SET, limit, out, alpha, seed, maxFalseBlock, maxMiss, parallelism } = options
  const guards = await openCandidates(context, options)
  const folder = resolve(cwd, out)
  const line = createProgressLine(context, formatCalibrationProgress)
  const journal = await openFileJournal(join(folder, "journal.jsonl"))
  try {
    const certificate = await optimizeJudges({
      candidates: guards.map(({ name, digest, check }) => ({
        name,
        digest,
        judge: (prompt, asking) => check(prompt, asking),
      })),
      rows: labelledRows(context, data, limit),
      data,
      limit,
      assay: readVersion(),
      maxFalseBlock,
      maxMiss,
      alpha,
      seed,
      parallelism,
      journal,
      signal,
      now,
      onProgress: (progress) => line.show(progress),
    })
    line.clear()
    const file = join(folder, "certificate.json")
    await writeFile(file, formatJson(certificate))
    await print(
      context,
      options,
      certificate,
      () => `${formatCertificate(certificate)}wrote ${shownPath(context, file)}\n`,
    )
    return EXIT_OF_VERDICT[certificate.verdict]
  } finally {
    line.clear()
    await journal.close()
    await Promise.all(guards.map((guard) => guard.close()))
  }
}

/** Opens the base configuration, and each file of the folder: a configuration, or a text that replaces the base's prompt. */
async function openCandidates(context: Context, options: OptimizeOptions): Promise<readonly OpenedGuard[]> {
  const { cwd } = context
  const { config, candidates: folder } = options
  const [model, ...others] = options.model
  if (others.length > 0) throw new AssayError("bad_usage", "--model names the judge of all candidates: give it once.")
  const names = await readdir(resolve(cwd, folder)).catch((error: unknown) => {
    throw localFailure(error, "read", folder)
  })
  const files = names.filter((name) => /\.(?:json|ya?ml|txt|md)$/u.test(name)).toSorted()
  if (files.length === 0) {
    const message = `--candidates '${printable(folder)}' has no .txt, .md, .json or .yaml file: put one prompt or configuration into each.`
    throw new AssayError("bad_usage", message)
  }
  const guards = [await openGuard(context, config, model, options)]
  for (const name of files) {
    const path = `./${join(folder, name)}`.replace(/^\.\/(?=\/)/u, "")
    if (!/\.(?:txt|md)$/u.test(name)) {
      guards.push({ ...(await openGuard(context, path, model, options)), name })
      continue
    }
    const content = await readTextFile(resolve(cwd, folder, name))
    const edit = { prompt: content, from: path }
    guards.push({ ...(await openGuard(context, config, model, options, edit)), name })
  }
  return guards
}
