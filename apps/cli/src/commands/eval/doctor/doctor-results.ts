import { relative } from "node:path"
import { type ExaminedResults, examineResults, writeImportedFiles } from "@assay/imports"
import { formatCount, formatTable, type Layout } from "@assay/reports/terminal"
import type { Context } from "../../../context.ts"
import { quotedWord } from "../../../output/error-hints.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"

export interface DoctorResultsOptions extends JsonOption {
  readonly out?: string
  readonly force?: boolean
}

const DEFAULT_OUT = "./results.yaml"

/** Runs `assay eval doctor <file>`: says what the results of any tool can answer. With `--out`, writes the evaluation that answers it. */
export async function doctorResults(context: Context, file: string, options: DoctorResultsOptions): Promise<void> {
  const { cwd, signal } = context
  const examined = await examineResults({ file, cwd, out: options.out ?? DEFAULT_OUT, quote: quotedWord, signal })
  const { files, ...report } = examined
  const isWritten = options.out !== undefined && files.length > 0
  if (isWritten) await writeImportedFiles(files, options.force === true)
  const written = isWritten ? files.map(({ path }) => relative(cwd, path) || path) : []
  const first =
    isWritten || files.length === 0 ? undefined : `assay eval doctor ${quotedWord(file)} --out ${DEFAULT_OUT}`
  await print(context, options, { ...report, files: written, first: first ?? null }, (shown, layout) =>
    formatReport(shown, layout),
  )
}

type Report = Omit<ExaminedResults, "files"> & { readonly files: readonly string[]; readonly first: string | null }

function formatReport({ rows, unreadable, isCut, columns, questions, files, first }: Report, layout: Layout): string {
  const found =
    columns.length === 0
      ? "no column has a name and values that mean something here\n"
      : formatTable(
          columns,
          [
            { heading: "ROLE", value: ({ role }) => role },
            { heading: "COLUMN", value: ({ name }) => name },
            { heading: "VALUES", value: ({ why }) => why },
          ],
          layout,
        )
  const answers = questions.map(
    ({ question, canAnswer, text }) => `${canAnswer ? "yes" : "no "}  ${question}\n       ${text}\n`,
  )
  const counted = [
    formatCount(rows, "row"),
    ...(unreadable === 0 ? [] : [`${formatCount(unreadable, "line")} unreadable`]),
    ...(isCut ? ["the rest of the file was not read"] : []),
  ]
  const wrote = files.length === 0 ? "" : `\nwrote ${files.join(", ")}\n`
  return `${counted.join(", ")}\n\n${found}\n${answers.join("")}${first === null ? "" : `\nfirst: ${first}\n`}${wrote}`
}
