import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { rowFormatOf } from "@assay/contents"
import { isLocalPlace } from "@assay/evaluation"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "../../../output/printable.ts"
import type { OpenedEvaluationFile } from "./evaluation-file.ts"
import { mapDatasets } from "./map-datasets.ts"

/** Finds files that lie beside and are named like a fileset: how a place is written tells what it is. @throws `bad_usage` */
export function checkPlaces({ name, folder, content }: OpenedEvaluationFile): void {
  const { target, config } = content
  mapDatasets({ target, config }, (filesUrl) => {
    const isFile = !isLocalPlace(filesUrl) && !/[:#]/.test(filesUrl) && rowFormatOf(filesUrl) !== undefined
    if (!isFile || !existsSync(resolve(folder, filesUrl))) return filesUrl
    const place = printable(filesUrl)
    throw new AssayError(
      "bad_usage",
      `${name} names the rows '${place}', which is a fileset: write './${place}' for the file beside it.`,
    )
  })
}
