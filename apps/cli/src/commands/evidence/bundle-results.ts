import { existsSync } from "node:fs"
import { resolve } from "node:path"
import {
  type BundleFile,
  createBundle,
  formatVerification,
  readSigningKey,
  type TrustedKey,
  type Verification,
  verifyBundle,
} from "@assay/evidence"
import { evidenceSides, type SidesToBundle } from "@assay/local"
import { formatBytes } from "@assay/reports/terminal"
import { scoreGates } from "@assay/results"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { readLocalText, writeWholeFile } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { readVersion } from "../../read-version.ts"
import type { JsonOption } from "../action.ts"
import { readLabelsHere } from "../label/read-labels-here.ts"
import { print } from "../print.ts"
import { shownPath } from "../eval/run-end.ts"
import { evidencePorts } from "./evidence-ports.ts"
import { readSide } from "./read-side.ts"

export interface BundleOptions extends JsonOption {
  readonly out: string
  readonly key: string
  readonly rows: "inside" | "reference"
  readonly redact?: boolean
  readonly gate?: readonly string[]
  readonly against?: string
  readonly margin?: number
  readonly allowChanged?: boolean
  /** Compare scores of judges by what people would see. */
  readonly corrected?: boolean
  /** A file, or a folder with `labels.jsonl`. */
  readonly labels?: string
  readonly force?: boolean
}

/** @throws `bad_usage` for options of a comparison without results to compare with */
function checkCompared({ inputs }: SidesToBundle, options: BundleOptions): void {
  const { margin, allowChanged, corrected, labels } = options
  if (labels !== undefined && corrected !== true) {
    throw new AssayError("bad_usage", "--labels is for a comparison by what people would see: add --corrected.")
  }
  const isAsked = margin !== undefined || allowChanged === true || corrected === true
  if (!isAsked || inputs.some(({ role }) => role === "baseline")) return
  const option = margin !== undefined ? "--margin" : allowChanged === true ? "--allow-changed" : "--corrected"
  throw new AssayError(
    "bad_usage",
    `${option} is about a comparison, and there is none: name the other results with --against.`,
  )
}

/**
 * Runs `assay eval bundle <job>`: signs what a verdict was computed from, and computes it again. Exit code 1 if the results are not what their
 * rows give: then nothing is left behind.
 */
export async function bundleResults(context: Context, jobOrFolder: string, options: BundleOptions): Promise<ExitCode> {
  const file = resolve(context.cwd, options.out)
  if (options.force !== true && existsSync(file)) {
    throw new AssayError("output_exists", `'${printable(options.out)}' exists already.`)
  }
  if (options.redact === true && options.rows === "reference") {
    throw new AssayError("bad_usage", "--redact keeps rows without texts in the bundle: leave out --rows reference.")
  }
  const pem = await readLocalText(resolve(context.cwd, options.key))
  const key = readSigningKey(pem, options.key)
  await using sides = await evidenceSides.read((name) => readSide(context, name), jobOrFolder, options)
  checkCompared(sides, options)
  const { margin, allowChanged } = sides
  const labels = options.corrected === true ? await readLabelsHere(context, { labels: options.labels }) : undefined
  const bundle = await createBundle(sides.inputs, {
    ...evidencePorts(context),
    key,
    placement: options.rows,
    redacted: options.redact === true,
    margin,
    allowChanged,
    gates: sides.gates.map(scoreGates.parse),
    labels,
    assay: readVersion(),
    createdAt: context.now(),
  })
  const { found, bytes } = await writeVerified(context, file, bundle.bytes(), (partial) =>
    verifyWritten(context, partial, { key: { ...key, name: options.key }, sides, options }),
  )
  const shown = shownPath(context, file)
  const { keyid } = key
  if (found.differences_total > 0) {
    await print(context, options, { ...found, file: null }, () => {
      const why = `${shown} is not written: the results are not what their rows give.\n`
      return `${why}${formatVerification(found, { assay: readVersion() })}`
    })
    return EXIT.no
  }
  const { recomputed, verdict, redacted } = found
  await print(context, options, { file: shown, bytes, keyid, verdict, redacted, recomputed }, () => {
    return `wrote ${shown} (${formatBytes(bytes)})\n${formatVerification(found, { assay: readVersion() })}`
  })
  return EXIT.done
}

/** Writes a bundle, and gives it its name if nothing in it differs. Otherwise a bundle that `--force` would replace stays. */
async function writeVerified(
  { signal }: Pick<Context, "signal">,
  file: string,
  pieces: ReturnType<Awaited<ReturnType<typeof createBundle>>["bytes"]>,
  verify: (partial: string) => Promise<Verification>,
) {
  const verified: Verification[] = []
  const bytes = await writeWholeFile(file, pieces, {
    signal,
    async accepts(partial) {
      const one = await verify(partial)
      verified.push(one)
      return one.differences_total === 0
    },
  })
  const [found] = verified
  if (found === undefined) throw new TypeError("A bundle was written and not verified.")
  return { found, bytes }
}

/** Verifies the bundle that was written, with the rows of the results if they are not in it. */
async function verifyWritten(
  context: Context,
  file: string,
  { key, sides, options }: { readonly key: TrustedKey; readonly sides: SidesToBundle; readonly options: BundleOptions },
): Promise<Verification> {
  await using opened = new AsyncDisposableStack()
  const open = async (path: string) => opened.use(await evidenceSides.openFile(path)).file
  const rows: BundleFile[] = []
  if (options.rows === "reference") for (const path of sides.rowFiles) rows.push(await open(path))
  return await verifyBundle(await open(file), { ...evidencePorts(context), trusted: [key], rows })
}
