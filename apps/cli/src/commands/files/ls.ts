import { formatBytes } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import { printable, printableJson } from "@assay/schemas"
import { formatFileAddress, parseFileAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"

const SIZE_WIDTH = 10
const TIME_WIDTH = 20

/** Runs `assay ls <fileset>`: prints line by line, so that memory does not depend on the number of files. */
export async function ls(context: Context, fileset: string, { json }: JsonOption): Promise<void> {
  const address = parseFileAddress(fileset, defaultWorkspace(context))
  const { workspace, fileset: name, path } = address
  const files = openClient(context).files.list(workspace, name, path === undefined ? {} : { path }, {
    signal: context.signal,
  })
  let count = 0
  for await (const file of files) {
    if (json === true)
      await writeText(context.stdout, `${count === 0 ? '{"data": [\n' : ",\n"}${printableJson(JSON.stringify(file))}`)
    else {
      // Milliseconds are of no use to people.
      const time = (file.updated_at ?? "").replace(/\.\d+/, "")
      await writeText(
        context.stdout,
        `${formatBytes(file.size).padStart(SIZE_WIDTH)}  ${time.padEnd(TIME_WIDTH)}  ${printable(file.path)}\n`,
      )
    }
    count += 1
  }
  if (count === 0 && path !== undefined && path !== "") {
    throw new AssayError(
      "not_found",
      `File '${path}' not found in fileset '${formatFileAddress({ workspace, fileset: name })}'.`,
    )
  }
  if (json === true) await writeText(context.stdout, count === 0 ? '{"data": []}\n' : "\n]}\n")
}
